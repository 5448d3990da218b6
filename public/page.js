// Swagger UI has dark colours, but does not ask the system for them.
const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()

// Nobody has to copy a token from one answer into the next request, least of all on a phone.

// Those of the examples (a test compares them).
const exampleIds = {
  quote: '9a1f6d0e-5a5e-4b0f-8a55-3c9f1e2d4b33',
  booking: 'c3d9a7f4-6b1e-4f0c-9e2a-1b3d5f7a9c55',
}
document.getElementById('origin').textContent = location.origin
// What Swagger UI leaves out for those who hear the page or have no mouse.
const mend = (selector, property, value) => {
  for (const element of document.querySelectorAll(selector)) element[property] = value
}
new MutationObserver(() => {
  mend('#servers', 'ariaLabel', 'Server')
  mend('.examples-select-element', 'ariaLabel', 'Example')
  mend('.body-param__text', 'ariaLabel', 'Request body')
  mend('.microlight', 'tabIndex', 0)
  mend('.opblock-tag', 'ariaLevel', '2')
  mend('h4', 'ariaLevel', '3')
  mend('h5', 'ariaLevel', '4')
  mend('.information-container, .scheme-container', 'role', 'region')
  mend('.information-container', 'ariaLabel', 'The API')
  mend('.scheme-container', 'ariaLabel', 'Server and key')
}).observe(document.body, { childList: true, subtree: true })
const made = {}
const put = (text) =>
  text
    .replaceAll(exampleIds.quote, made.quoteId ?? '$&')
    .replaceAll(exampleIds.booking, made.bookingId ?? '$&')
SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  tryItOutEnabled: true,
  displayRequestDuration: true,
  requestSnippetsEnabled: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
  requestInterceptor(request) {
    const { headers, body, method } = request
    for (const name of Object.keys(headers)) headers[name] = put(headers[name])
    if (method === 'POST' && made.sessionToken) headers['X-Session-Token'] ||= made.sessionToken
    request.url = put(request.url)
    if (body) request.body = put(body)
    return request
  },
  responseInterceptor(response) {
    Object.assign(made, response.obj?.data)
    return response
  },
})
