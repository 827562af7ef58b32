"""Strangers' programs: started, asked under limits, ended.  Records what they do; judges nothing."""
