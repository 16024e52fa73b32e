"""The plan: parts of a site are read, what they say is merged, and every part is written by what the whole site says.

Three passes over the parts (`stages`), each a function of a part and of what was merged before it (`merging`), on whatever
runs them (`processes/runners`). A part is parsed again in every pass: that takes a twentieth of the time, and tables kept on disk
would take more room than the pages themselves.
"""
