/**
 * Returns a style sheet in which `rem` is the font size of the widget instead of the page's root:
 * many pages set that to 62.5 %.
 */
export function styleSheet(css: string): CSSStyleSheet {
  try {
    // Registered, so that elements inherit the length and not the text `1em`.
    const unit = { name: '--rental-rem', syntax: '<length>', inherits: true, initialValue: '16px' }
    CSS.registerProperty(unit)
  } catch {
    // It is registered once for all widgets of the page.
  }
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css.replaceAll(/(-?[\d.]+)rem/g, 'calc($1*var(--rental-rem))'))
  return sheet
}
