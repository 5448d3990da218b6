import { spawn } from 'node:child_process'
import { EventEmitter, on } from 'node:events'
import { createInterface } from 'node:readline'

const recentLinesMax = 20

/** A fixed environment, so that PGPORT or LC_ALL of the user's shell have no effect. */
export const programEnv = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

export interface Identity {
  readonly uid: number
  readonly gid: number
}

export const shellQuoted = (path: string) => `'${path.replaceAll("'", `'\\''`)}'`

interface SupervisedOptions {
  readonly command: string
  readonly args: readonly string[]
  /** The complete environment of the child, which inherits nothing. */
  readonly env: Readonly<Record<string, string>>
  readonly identity?: Identity | undefined
  /**
   * The signal that ends the child; by default SIGINT, PostgreSQL's fast shutdown. The child starts
   * with SIGINT ignored, so programs without their own handler need SIGTERM.
   */
  readonly stopSignal?: 'INT' | 'TERM'
  /** Paths to remove when the child has ended, even if this process was killed. */
  readonly removeOnExit?: readonly string[]
}

/**
 * Returns a shell script that runs the child and signals the child when stdin closes. Stdin also
 * closes when this process is killed. The script must ignore signals, or it would end before the
 * child.
 */
function script(options: SupervisedOptions): string {
  const { stopSignal = 'INT', removeOnExit = [] } = options
  return [
    'exec 3<&0',
    'trap : HUP INT TERM',
    '"$@" </dev/null 3<&- & child=$!',
    "(trap '' HUP INT TERM; read -r _ <&3",
    // Repeat the signal, because a child that has just started may not handle it yet.
    `while kill -${stopSignal} $child 2>/dev/null; do sleep 0.5 >/dev/null 2>&1; done) &`,
    'watcher=$!',
    // Some shells report the end of the watcher on stderr, which is the child's output.
    'exec 2>/dev/null',
    'wait $child; status=$?',
    'while kill -0 $child 2>/dev/null; do wait $child; status=$?; done',
    'kill -KILL $watcher 2>/dev/null',
    `rm -rf -- ${removeOnExit.map(shellQuoted).join(' ')}`,
    'exit $status',
  ].join('\n')
}

function spawnShell(options: SupervisedOptions) {
  const { command, args, env, identity } = options
  return spawn('/bin/sh', ['-c', script(options), 'supervised', command, ...args], {
    // The child's user may have no access to the current directory.
    cwd: '/',
    // Its own process group keeps Ctrl-C from ending it before this process has drained.
    detached: true,
    env,
    ...identity,
  })
}

/** Starts a program that ends with this process. Failures appear in `exited` and `recentLines`. */
export function startSupervised(options: SupervisedOptions) {
  const child = spawnShell(options)
  const recent: string[] = []
  const output = new EventEmitter<{ line: [string] }>()
  const addLine = (line: string) => {
    recent.push(line)
    if (recent.length > recentLinesMax) recent.shift()
    output.emit('line', line)
  }
  // Ignore write errors after the shell has ended; `exited` reports the end.
  child.stdin.on('error', () => {})
  for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', addLine)
  const exited = new Promise<number>((resolve) => {
    child.once('error', (error) => {
      addLine(error.message)
      resolve(1)
    })
    child.once('close', (code) => resolve(code ?? 1))
  })
  const ended = new AbortController()
  void exited.then((code) => ended.abort(new Error(`ended with exit code ${code}`)))

  return {
    recentLines: (): readonly string[] => [...recent],
    /** Calls the listener when the child has ended; its descendants may still run. */
    onExit: (listener: (exitCode: number | null) => void) => child.once('exit', listener),
    /** Resolves with the exit code when the child and all its descendants have ended. */
    exited,
    /** Resolves when a line matches. Rejects if the child ends or the timeout elapses first. */
    async line(pattern: RegExp, timeoutMs: number): Promise<void> {
      const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(timeoutMs)])
      for await (const [line] of on(output, 'line', { signal })) if (pattern.test(line)) return
    },
    /** Ends the child and resolves when it has ended. Safe to call twice. */
    async stop(): Promise<void> {
      child.stdin.end()
      await exited
    },
  }
}
