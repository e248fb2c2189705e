/** Seed 003's protocol over HTTP: the fool's mate. `npm run seed -- http://127.0.0.1:8050` */

const [address = "http://127.0.0.1:8050"] = process.argv.slice(2);

/** The value of a good reply, which begins with the path it answers; an error is the empty string. */
async function value(prefix: string, argument = ""): Promise<string> {
  const method = prefix.startsWith("/post/") ? "POST" : "GET";
  const reply = await (await fetch(address + prefix + argument, { method })).text();
  if (!reply.startsWith(prefix)) throw new Error(`the server refuses ${prefix}${argument}`);
  return reply.slice(prefix.length);
}

await value("/post/new/");
for (const move of ["f2f3", "e7e5", "g2g4", "d8h4"]) {
  console.log(`${await value("/get/status/")}: ${move}`);
  await value("/post/move/", move);
}
console.log(await value("/get/board/"));
console.log(await value("/get/status/"));
