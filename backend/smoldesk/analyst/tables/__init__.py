"""What is known of a chat's tables before anything is asked: columns, values, what rows and figures are called."""
