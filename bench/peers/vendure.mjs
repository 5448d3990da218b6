// Starts Vendure on PORT and inserts twenty products into the empty database of DATABASE_URL. Must run in
// the directory where npm installed Vendure. GET /readyz returns 200 when the products are inserted.

import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bootstrap, DefaultSearchPlugin, dummyPaymentHandler, JobQueueService } from '@vendure/core'
import { populate } from '@vendure/core/cli/index.js'

process.chdir(import.meta.dirname)
let ready = false
const readyz = (_request, response) => response.status(ready ? 200 : 503).end()

const config = {
  apiOptions: {
    hostname: process.env.HOST,
    port: Number(process.env.PORT),
    middleware: [{ route: 'readyz', handler: readyz }],
  },
  authOptions: {
    tokenMethod: ['bearer'],
    requireVerification: false,
    superadminCredentials: { identifier: 'admin', password: randomBytes(12).toString('hex') },
  },
  dbConnectionOptions: { type: 'postgres', url: process.env.DATABASE_URL, synchronize: true },
  paymentOptions: { paymentMethodHandlers: [dummyPaymentHandler] },
  plugins: [DefaultSearchPlugin],
}

const automatic = {
  code: dummyPaymentHandler.code,
  arguments: [{ name: 'automaticSettle', value: 'true' }],
}
const initialData = {
  defaultLanguage: 'en',
  defaultZone: 'Europe',
  taxRates: [{ name: 'Standard Tax', percentage: 25 }],
  shippingMethods: [{ name: 'Standard Shipping', price: 500 }],
  paymentMethods: [{ name: 'Standard Payment', handler: automatic }],
  countries: [{ name: 'Norway', code: 'NO', zone: 'Europe' }],
  collections: [],
}

const columns =
  'name,slug,description,assets,facets,optionGroups,optionValues,sku,price,taxCategory,stockOnHand,trackInventory,variantAssets,variantFacets'
const products = Array.from(
  { length: 20 },
  (_, n) =>
    `Vehicle class ${n},class-${n},A car of this class or similar,,,,,sku-${n},499.00,standard,1000000,false,,`,
)

const csv = join(import.meta.dirname, 'products.csv')
await writeFile(csv, [columns, ...products].join('\n'))
const start = async () => {
  const app = await bootstrap(config)
  await app.get(JobQueueService).start()
  return app
}
await populate(start, initialData, csv)
ready = true
