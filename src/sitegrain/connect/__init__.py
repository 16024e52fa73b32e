"""A result for other programs that read: an MCP server for assistants, loaders for LangChain and LlamaIndex.

Each module needs its extra (`mcp`, `langchain`, `llamaindex`) and nothing else here imports it.
"""
