/** The asset group is in `examples/fleet.json`, so that the examples work in the demo. */
export const exampleIds = {
  assetGroup: '5b8f0a52-7c55-4a0e-9d0b-5f6f0f6f7a11',
  quote: '9a1f6d0e-5a5e-4b0f-8a55-3c9f1e2d4b33',
  rate: '0f1c8a3e-2f6b-4b57-8f0e-6b8f3f1f2a22',
  extra: '7d2b4c61-0e7e-4c3a-9b1d-2a4f6c8e0b44',
  booking: 'c3d9a7f4-6b1e-4f0c-9e2a-1b3d5f7a9c55',
}
