import mcp
