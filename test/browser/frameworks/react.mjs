// biome-ignore lint/correctness/noUndeclaredDependencies: the test installs the package.
import '@rental-booking/widget'
import { createElement, useState } from 'react'
import { createRoot } from 'react-dom/client'

function Booking(attributes) {
  const [received, setReceived] = useState('nothing')
  const [, setStep] = useState()
  const onbooked = ({ detail }) => setReceived(`booked ${detail.status}`)
  // The state change renders the page again during a visit.
  const onstepped = ({ detail }) => setStep(detail.step)
  const config = { ...attributes.config }
  return [
    createElement('rental-booking', { ...attributes, config, key: 'widget', onbooked, onstepped }),
    createElement('p', { key: 'received' }, `React received: ${received}`),
  ]
}

const root = document.querySelector('main')
createRoot(root).render(createElement(Booking, JSON.parse(root.dataset.attributes)))
