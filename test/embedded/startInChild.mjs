// The first argument is the path of the compiled module, because Node 20 cannot load TypeScript.
const [modulePath, directory, stateDirectory] = process.argv.slice(2)
const { startEmbeddedPostgres } = await import(modulePath)

const logged = []
const postgres = await startEmbeddedPostgres({
  directory,
  ...(stateDirectory && { stateDirectory }),
  log: (message, fields) => logged.push({ message, ...fields }),
})
process.stdout.write(`${JSON.stringify({ url: postgres.url, logged })}\n`)
process.stdin.on('end', () => postgres.stop()).resume()
