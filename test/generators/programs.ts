import { join } from 'node:path'

interface Program {
  language: string
  /** Commands that must succeed, such as `go version`. */
  needs: [string, ...string[]][]
  file: string
  program: string
  command: string
}

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

const java = `import java.time.OffsetDateTime;
import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.BookingApi;
import org.openapitools.client.api.CatalogApi;
import org.openapitools.client.model.*;

public class Book {
  static BookingApi bookings;

  static BookingResponse book(UUID quoteId) throws ApiException {
    Customer customer = new Customer().firstName("Kari").lastName("Nordmann").email("kari@example.com");
    BookingRequest body = new BookingRequest().quoteId(quoteId).customer(customer);
    return bookings.createBooking(quoteId + "x", body, null);
  }

  public static void main(String[] words) throws Exception {
    ApiClient client = new ApiClient();
    client.setBasePath(System.getenv("ADDRESS") + "/api/v1");
    client.setBearerToken(System.getenv("KEY"));
    bookings = new BookingApi(client);
    UUID group = new CatalogApi(client).listAssetGroups(null, null).getData().get(0).getId();
    OffsetDateTime pickup = OffsetDateTime.parse("2035-06-01T10:00:00Z");
    QuoteRequest period = new QuoteRequest().assetGroupId(group).pickupDatetime(pickup).dropoffDatetime(pickup.plusDays(3));
    UUID made = book(bookings.createQuote(period, null, null).getData().getQuoteId()).getData().getBookingId();
    System.out.println(bookings.getBooking(made, null).getData().getStatus());
    try {
      book(made);
    } catch (ApiException error) {
      System.out.println(ApiError.fromJson(error.getResponseBody()).getError().getCode());
    }
  }
}
`

const php = `<?php
require 'GuzzleHttp/autoload.php';
spl_autoload_register(function ($name) {
    require __DIR__ . '/lib/' . strtr(substr($name, strlen('OpenAPI\\\\Client\\\\')), '\\\\', '/') . '.php';
});

use OpenAPI\\Client\\{ApiException, Configuration};
use OpenAPI\\Client\\Api\\{BookingApi, CatalogApi};
use OpenAPI\\Client\\Model\\{BookingRequest, Customer, QuoteRequest};

$configuration = (new Configuration())->setHost(getenv('ADDRESS') . '/api/v1')->setAccessToken(getenv('KEY'));
$group = (new CatalogApi(null, $configuration))->listAssetGroups()->getData()[0];
$bookings = new BookingApi(null, $configuration);
$quote = $bookings->createQuote(new QuoteRequest([
    'asset_group_id' => $group->getId(),
    'pickup_datetime' => new DateTime('2035-06-01T10:00:00Z'),
    'dropoff_datetime' => new DateTime('2035-06-04T10:00:00Z'),
]))->getData();
$customer = new Customer(['first_name' => 'Kari', 'last_name' => 'Nordmann', 'email' => 'kari@example.com']);
$book = fn ($quoteId) => $bookings->createBooking($quoteId . 'x', new BookingRequest(['quote_id' => $quoteId, 'customer' => $customer]));
$made = $book($quote->getQuoteId())->getData();
echo $bookings->getBooking($made->getBookingId())->getData()->getStatus(), "\\n";
try {
    $book($made->getBookingId());
} catch (ApiException $error) {
    echo $error->getResponseObject()->getError()->getCode(), "\\n";
}
`

const tsc = join(import.meta.dirname, '../../node_modules/.bin/tsc')
const settings = '--target es2022 --module commonjs --lib es2022,dom --types "" --ignoreConfig'

/** A program for each generated client. It prints the status of a booking and the code of an error. */
export const programs: Program[] = [
  {
    language: 'java',
    needs: [['mvn', '-v']],
    file: 'src/main/java/Book.java',
    program: java,
    command:
      'mvn -q -B -Dmaven.test.skip=true compile dependency:copy-dependencies >&2 && java -cp "target/classes:target/dependency/*" Book',
  },
  {
    language: 'python',
    needs: [['python3', '-m', 'pip', '--version']],
    file: 'book.py',
    program: python,
    command:
      'python3 -m pip install -q --target libraries -r requirements.txt && PYTHONPATH=libraries python3 book.py',
  },
  {
    language: 'php',
    // Debian's php-guzzlehttp-guzzle.
    needs: [['php', '-r', 'require "GuzzleHttp/autoload.php";']],
    file: 'book.php',
    program: php,
    command: 'find lib -name "*.php" -print0 | xargs -0 -n 1 php -l > lint.log && php book.php',
  },
  {
    language: 'go',
    needs: [['go', 'version']],
    file: 'book/main.go',
    program: go,
    command: 'go run -mod=mod ./book',
  },
  {
    language: 'typescript-fetch',
    needs: [],
    file: 'book.ts',
    program: typescript,
    command: `echo '{}' > package.json && '${tsc}' ${settings} --outDir out book.ts && node out/book.js`,
  },
]
