export interface TestServer {
  readonly url: string
  stop(): Promise<void>
}
