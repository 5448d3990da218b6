// biome-ignore lint/correctness/noUndeclaredDependencies: the test installs the package.
import '@rental-booking/widget'
import { createApp, h, ref } from 'vue'

const root = document.querySelector('main')
const attributes = JSON.parse(root.dataset.attributes)

const Booking = {
  setup() {
    const received = ref('nothing')
    const onBooked = ({ detail }) => {
      received.value = `booked ${detail.status}`
    }
    const step = ref()
    // The state change renders the page again during a visit.
    const onStepped = ({ detail }) => {
      step.value = detail.step
    }
    return () => [
      h('rental-booking', {
        ...attributes,
        config: { ...attributes.config },
        'data-step': step.value,
        onBooked,
        onStepped,
      }),
      h('p', {}, `Vue received: ${received.value}`),
    ]
  },
}

createApp(Booking).mount(root)
