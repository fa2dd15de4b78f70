"""`make bench`: what the desk costs, as ratios against what it is built on or would replace. Never imported by backend/."""
