// A day here always has 24 hours. Use period.ts for local days, which can have 23 or 25.
export const minuteMs = 60_000
export const dayMs = 86_400_000
export const hourMinutes = 60
export const dayHours = 24
export const dayMinutes = 1_440
export const minuteSeconds = 60
export const hourSeconds = 3_600
export const daySeconds = 86_400
