import process from 'node:process'

// Loaded with `--import` before a server. Replies to each message with the CPU time in microseconds.
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.(user + system)
})
// The IPC channel must not keep a server running that should stop.
process.channel?.unref()
