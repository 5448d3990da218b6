// Runs before the first paint, because the page has other parts and heights with one vehicle, and after
// the dates. After a reload, the widget shows the step that main.js stored last.
{
  const { dataset } = document.documentElement
  const search = new URLSearchParams(location.search)
  const isSearch = search.has('pickup') && search.has('dropoff')
  const isBooking = location.hash.startsWith('#booking=')
  if (search.has('vehicle')) dataset.vehicle = ''
  else if (isSearch && history.state === null) dataset.later = ''
  if (isBooking) dataset.later = ''
  try {
    if ((sessionStorage.step ?? 'dates') !== 'dates') dataset.later = ''
  } catch {}
}
