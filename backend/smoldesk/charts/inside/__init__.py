"""What makes pictures of charts, in the jailed child: the standard library and vl-convert."""
