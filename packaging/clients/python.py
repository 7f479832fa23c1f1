"""The main job through the official Python SDK: python.py legacy|auto BRIDGE FOLDER.

Prints one line of JSON that app/e2e examines.
"""
import asyncio
import json
import sys
import time

from mcp import Client, StdioServerParameters, types

mode, bridge, folder = sys.argv[1:]
seen = {"asked": 0, "progress": 0}


async def elicit(context, params):
    seen["asked"] += 1
    return types.ElicitResult(action="accept", content={"confirm": True})


async def progress(done, total, message):
    seen["progress"] += 1


def paths(result):
    return [r["path"] for r in result.structured_content["results"]]


async def main():
    server = StdioServerParameters(command=bridge, args=["mcp"], cwd=folder)
    async with Client(server, mode=mode, elicitation_callback=elicit) as client:
        tools = [t.name for t in (await client.list_tools()).tools]
        created = await client.call_tool("create_index", {}, progress_callback=progress)

        def search(query):
            return client.call_tool("search_code", {"query": query})

        first, second = await asyncio.gather(search("line up columns of output"), search("smallest element first"))
        given_up = asyncio.create_task(search("given up"))
        await asyncio.sleep(0)
        given_up.cancel()
        cancelled = isinstance((await asyncio.gather(given_up, return_exceptions=True))[0], asyncio.CancelledError)
        wrong = await search("")
        result = {
            "server": client.server_info.name,
            "protocol": client.protocol_version,
            "tools": tools,
            "created": created.structured_content["status"],
            "first": paths(first),
            "second": paths(second),
            "cancelled": cancelled,
            "wrong": wrong.is_error is True,
        }
        before = time.monotonic()
    print(json.dumps({**result, **seen, "closed": round((time.monotonic() - before) * 1000)}))


asyncio.run(main())
