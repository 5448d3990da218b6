/** A server that the tests share for one run. */
export interface TestServer {
  readonly url: string
  stop(): Promise<void>
}
