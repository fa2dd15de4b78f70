"""The subcommands of `smoldesk`, one module each; cli.py picks one."""
