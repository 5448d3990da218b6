// Runs before the first paint: the page of one vehicle has other heights.
document.documentElement.toggleAttribute('data-vehicle', /[?&]vehicle=/.test(location.search))
