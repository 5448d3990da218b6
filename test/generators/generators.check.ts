import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useTestApp } from '../helpers/app.ts'
import { demoKey } from '../helpers/demoKey.ts'
import { runGuide, runGuideCommands } from '../helpers/guidePrograms.ts'
import { startLosingProxy } from '../helpers/losingProxy.ts'
import { generate, needGenerator, needProgram } from './generate.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const server = useTestApp()
let folder: string
let later: Awaited<ReturnType<typeof startLosingProxy>>
let address: string
let key: string

beforeAll(async () => {
  await needGenerator()
  await needProgram('python3', '-m', 'pip', '--version')
  folder = await mkdtemp(join(tmpdir(), 'generated-'))
  key = await demoKey(server.deps)
  address = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`
  later = await startLosingProxy(address, grown)
}, 300_000)
afterAll(async () => {
  await later.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Adds a field to each object of a response, as a later release may. */
function grown(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(grown)
  if (typeof json !== 'object' || json === null) return json
  const fields = Object.entries(json).map(([name, value]) => [name, grown(value)])
  return { ...Object.fromEntries(fields), addedLater: { since: '1.9' } }
}

const environment = () => ({ ...process.env, ADDRESS: later.address, KEY: key })
const minutes = 180_000

describe('openapi-generator', () => {
  it.each(['java', 'python', 'php', 'go', 'typescript-fetch'])(
    'generates a client in %s without a warning about the OpenAPI document',
    async (language) => expect(await generate(language, join(folder, language))).toEqual([]),
    minutes,
  )

  it.each([
    ['java', 'mvn -v', 'mvn -q -B -Dmaven.test.skip=true compile'],
    ['go', 'go version', 'go build -mod=mod ./...'],
    ['php', 'php -v', 'find lib -name "*.php" -print0 | xargs -0 -n 1 php -l'],
  ])(
    'generates a client in %s that compiles',
    async (language, check, compile) => {
      const [program = '', ...words] = check.split(' ')
      await needProgram(program, ...words)
      const cwd = join(folder, language)
      await run('sh', ['-c', compile], { cwd }).catch(({ stdout, stderr }) => {
        throw new Error(stdout + stderr)
      })
    },
    minutes,
  )

  it(
    'generates a Go client that books, polls and reads an error, also of a later release',
    async () => {
      const cwd = join(folder, 'go')
      await mkdir(join(cwd, 'book'))
      await writeFile(join(cwd, 'book/main.go'), go)
      const { stdout } = await run('go', ['run', '-mod=mod', './book'], {
        cwd,
        env: environment(),
      }).catch(({ stdout, stderr }) => {
        throw new Error(stdout + stderr)
      })
      expect(stdout).toBe('pending\nQUOTE_NOT_FOUND\n')
    },
    minutes,
  )

  it(
    'generates a Python client that books, polls and reads an error, also of a later release',
    async () => {
      const cwd = join(folder, 'python')
      await writeFile(join(cwd, 'book.py'), python)
      const pip = ['-m', 'pip', 'install', '-q', '--target', 'libraries', '-r', 'requirements.txt']
      await run('python3', pip, { cwd })
      const env = { ...environment(), PYTHONPATH: 'libraries' }
      const { stdout } = await run('python3', ['book.py'], { cwd, env })
      expect(stdout).toBe('pending\nQUOTE_NOT_FOUND\n')
    },
    minutes,
  )

  it(
    'generates a TypeScript client that books, polls and reads an error, also of a later release',
    async () => {
      const cwd = join(folder, 'typescript-fetch')
      await writeFile(join(cwd, 'book.ts'), typescript)
      await writeFile(join(cwd, 'package.json'), '{}')
      const settings = ['--target', 'es2022', '--module', 'commonjs', '--lib', 'es2022,dom']
      const words = [...settings, '--types', '', '--ignoreConfig', '--outDir', 'out', 'book.ts']
      await run(join(root, 'node_modules/.bin/tsc'), words, { cwd }).catch(({ stdout }) => {
        throw new Error(stdout)
      })
      const { stdout } = await run(process.execPath, ['out/book.js'], { cwd, env: environment() })
      expect(stdout).toBe('pending\nQUOTE_NOT_FOUND\n')
    },
    minutes,
  )
})

describe('the documented booking steps', () => {
  it(
    'passes the steps of public/arazzo.yaml in Redocly',
    async () => {
      const redocly = join(root, 'node_modules/.bin/redocly')
      // Both are served in one directory, but are in two in the repository.
      for (const path of ['public/arazzo.yaml', 'openapi.yaml'])
        await copyFile(join(root, path), join(folder, basename(path)))
      const words = ['respect', 'arazzo.yaml', '-i', `apiKey=${key}`, '-S', `api=${address}/api/v1`]
      const { stdout, stderr } = await run(redocly, words, { cwd: folder }).catch((error) => {
        throw new Error(error.stdout + error.stderr)
      })
      expect(stdout + stderr).toMatch(/1 passed, 1 total/)
    },
    minutes,
  )

  it(
    'books with the curl, Python and PHP programs of docs/integrate.md',
    async () => {
      await needProgram('curl', '--version')
      await needProgram('php', '-v')
      const responses = await runGuideCommands({ address, key })
      expect(responses.at(-1)).toMatchObject({ data: { status: 'pending' } })
      for (const language of ['python', 'php'] as const) {
        expect(await runGuide(language, { address, key })).toMatch(/\npending\n$/)
      }
    },
    minutes,
  )
})

const go = `package main

import (
	"context"
	"fmt"
	"os"
	"time"

	api "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	configuration := api.NewConfiguration()
	configuration.Servers = api.ServerConfigurations{{URL: os.Getenv("ADDRESS") + "/api/v1"}}
	client := api.NewAPIClient(configuration)
	key := context.WithValue(context.Background(), api.ContextAccessToken, os.Getenv("KEY"))
	groups, _, err := client.CatalogAPI.ListAssetGroups(key).Execute()
	check(err)
	pickup := time.Date(2035, 6, 1, 10, 0, 0, 0, time.UTC)
	request := api.NewQuoteRequest(groups.Data[0].Id, pickup, pickup.AddDate(0, 0, 3))
	quote, _, err := client.BookingAPI.CreateQuote(key).QuoteRequest(*request).Execute()
	check(err)
	customer := *api.NewCustomer("Kari", "Nordmann", "kari@example.com")
	book := func(quoteId string) (*api.BookingResponse, error) {
		body := *api.NewBookingRequest(quoteId, customer)
		response, _, err := client.BookingAPI.CreateBooking(key).IdempotencyKey(quoteId + "x").BookingRequest(body).Execute()
		return response, err
	}
	made, err := book(quote.Data.QuoteId)
	check(err)
	found, _, err := client.BookingAPI.GetBooking(key, made.Data.BookingId).Execute()
	check(err)
	fmt.Println(found.Data.Status)
	_, err = book(made.Data.BookingId)
	fmt.Println(err.(*api.GenericOpenAPIError).Model().(api.ApiError).Error.Code)
}
`

const python = `
import os, uuid
import openapi_client as api
from datetime import datetime, timezone

configuration = api.Configuration(host=os.environ["ADDRESS"] + "/api/v1", access_token=os.environ["KEY"])
with api.ApiClient(configuration) as client:
    group = api.CatalogApi(client).list_asset_groups().data[0]
    booking = api.BookingApi(client)
    quote = booking.create_quote(api.QuoteRequest(
        assetGroupId=group.id,
        pickupDatetime=datetime(2035, 6, 1, 10, tzinfo=timezone.utc),
        dropoffDatetime=datetime(2035, 6, 4, 10, tzinfo=timezone.utc),
    )).data
    customer = api.Customer(firstName="Kåre", lastName="O’Neill", email="kare@example.com", phone="+47 12 34 56 78")
    def book(quote_id):
        return booking.create_booking(str(uuid.uuid4()), api.BookingRequest(quoteId=quote_id, customer=customer, notes="a\\nb"))
    made = book(quote.quote_id).data
    print(booking.get_booking(made.booking_id).data.status)
    try:
        book(uuid.uuid4())
    except api.ApiException as error:
        print(error.data.error.code)
`

const typescript = `
import { BookingApi, CatalogApi, Configuration, ResponseError, ApiErrorFromJSON } from './index'
declare const process: { env: Record<string, string> }

async function main() {
  const basePath = process.env['ADDRESS'] + '/api/v1'
  const configuration = new Configuration({ basePath, apiKey: process.env['KEY'], accessToken: process.env['KEY'] })
  const [group] = (await new CatalogApi(configuration).listAssetGroups({})).data
  const booking = new BookingApi(configuration)
  const { data: quote } = await booking.createQuote({
    quoteRequest: {
      assetGroupId: group.id,
      pickupDatetime: new Date('2035-06-01T10:00:00Z'),
      dropoffDatetime: new Date('2035-06-04T10:00:00Z'),
    },
  })
  const customer = { firstName: 'Kari', lastName: 'Nordmann', email: 'kari@example.com' }
  const book = (quoteId: string) =>
    booking.createBooking({ idempotencyKey: quoteId + 'x', bookingRequest: { quoteId, customer } })
  const made = (await book(quote.quoteId)).data
  console.log((await booking.getBooking({ id: made.bookingId })).data.status)
  await book(made.bookingId).catch(async (error: ResponseError) => {
    console.log(ApiErrorFromJSON(await error.response.json()).error.code)
  })
}
void main()
`
