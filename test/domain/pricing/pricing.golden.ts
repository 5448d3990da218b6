import type { ChosenExtra } from '../../../src/domain/pricing/extras.ts'

/**
 * Prices calculated by hand, with the arithmetic. Do not copy results of the engine. `-` is an absent
 * price, an empty cell the default. Lines: M month, W week, D day, h hour. `shown`: the breakdown's days
 * and hours.
 */

/** Rate cards: tax in percent, `incl` if the prices contain it. */
export const cards = `
card    | currency | hourly | daily  | weekly  | monthly | tax
full    | EUR      | 10.00  | 50.00  | 300.00  | 1000.00 | 0
steep   | EUR      | -      | 50.00  | 280.00  | -       | 0
days    | EUR      | -      | 50.00  | -       | -       | 0
oslo    | NOK      | 99.00  | 499.00 | 2990.00 | -       | 25
tokyo   | JPY      | 1500   | 8000   | 50000   | 180000  | 10 incl
osaka   | JPY      | 1500   | 8000   | 50000   | 180000  | 8.1
bahrain | BHD      | 1.750  | 12.500 | 80.000  | -       | 10
manama  | BHD      | 1.750  | 12.500 | 80.000  | -       | 10 incl
precise | BHD      | -      | 12.500 | -       | -       | 7.675
cent    | EUR      | -      | 0.02   | -       | -       | 25
third   | EUR      | -      | 33.33  | -       | -       | 25
thirdin | EUR      | -      | 33.33  | -       | -       | 25 incl
swiss   | CHF      | -      | 50.00  | -       | -       | 8.1 incl
double  | EUR      | -      | 50.00  | -       | -       | 100 incl
free    | EUR      | -      | 50.00  | -       | -       | 0 incl
`

/** Rentals from 1 June 2027, 10:00, in Oslo. Default grace: 29 minutes. */
export const lengths = `
card  | length      | grace | shown   | lines    | total    | arithmetic
full  | 0d 00:01    |       | 0d 1h   | 1h       | 10.00    | under a day at least 1 hour: 10
full  | 0d 00:29    |       | 0d 1h   | 1h       | 10.00    | no grace under a day: 10
full  | 0d 01:00    |       | 0d 1h   | 1h       | 10.00    | 1 × 10
full  | 0d 01:01    |       | 0d 2h   | 2h       | 20.00    | a started hour counts: 2 × 10
full  | 0d 04:00    |       | 0d 4h   | 4h       | 40.00    | 4 × 10, less than 50
full  | 0d 05:00    |       | 0d 5h   | 1D       | 50.00    | 5 × 10 = 50, the same as a day
full  | 0d 05:01    |       | 0d 6h   | 1D       | 50.00    | 6 × 10 = 60, capped at 50
full  | 0d 23:00    |       | 0d 23h  | 1D       | 50.00    | 23 × 10 = 230, capped at 50
full  | 0d 23:01    |       | 1d 0h   | 1D       | 50.00    | a started 24th hour is a day
full  | 0d 23:59    |       | 1d 0h   | 1D       | 50.00    | 24 × 10 = 240, capped at 50
days  | 0d 00:01    |       | 0d 1h   | 1D       | 50.00    | no hourly rate: a day
full  | 1d 00:00    |       | 1d 0h   | 1D       | 50.00    | 1 × 50
full  | 1d 00:29    |       | 1d 0h   | 1D       | 50.00    | 29 minutes are within the grace
full  | 1d 00:30    |       | 1d 1h   | 1D 1h    | 60.00    | 30 minutes are not: 50 + 1 × 10
full  | 1d 00:31    |       | 1d 1h   | 1D 1h    | 60.00    | 50 + 1 × 10
full  | 1d 01:00    |       | 1d 1h   | 1D 1h    | 60.00    | 50 + 1 × 10
full  | 1d 01:01    |       | 1d 2h   | 1D 2h    | 70.00    | grace is not subtracted: 50 + 2 × 10
full  | 1d 01:29    |       | 1d 2h   | 1D 2h    | 70.00    | 89 minutes are 2 hours: 50 + 2 × 10
full  | 1d 02:00    |       | 1d 2h   | 1D 2h    | 70.00    | 50 + 2 × 10
full  | 1d 02:01    |       | 1d 3h   | 1D 3h    | 80.00    | 50 + 3 × 10
full  | 1d 04:00    |       | 1d 4h   | 1D 4h    | 90.00    | 50 + 4 × 10
full  | 1d 04:01    |       | 1d 5h   | 2D       | 100.00   | 5 × 10 = a day: 2 × 50
full  | 1d 23:59    |       | 2d 0h   | 2D       | 100.00   | 240 capped at 50: 2 × 50
days  | 1d 00:29    |       | 1d 0h   | 1D       | 50.00    | the rest is within the grace
days  | 1d 00:30    |       | 1d 1h   | 2D       | 100.00   | no hourly rate: 2 × 50
full  | 1d 00:28:01 |       | 1d 0h   | 1D       | 50.00    | the started 29th minute is grace
full  | 1d 00:29:01 |       | 1d 1h   | 1D 1h    | 60.00    | the started 30th minute is not grace
full  | 1d 00:01    | 0     | 1d 1h   | 1D 1h    | 60.00    | no grace: 50 + 1 × 10
full  | 1d 00:59    | 59    | 1d 0h   | 1D       | 50.00    | 59 minutes of grace
full  | 1d 01:00    | 59    | 1d 1h   | 1D 1h    | 60.00    | 60 minutes exceed the grace: 50 + 1 × 10
full  | 5d 00:00    |       | 5d 0h   | 5D       | 250.00   | 5 × 50
full  | 5d 04:00    |       | 5d 4h   | 5D 4h    | 290.00   | 250 + 4 × 10, less than a week's 300
full  | 5d 05:00    |       | 5d 5h   | 1W       | 300.00   | 250 + 5 × 10 = 300 = a week
full  | 6d 00:00    |       | 6d 0h   | 1W       | 300.00   | 6 × 50 = 300 = a week
full  | 6d 08:00    |       | 6d 8h   | 1W       | 300.00   | 7 days are a week
full  | 7d 00:00    |       | 7d 0h   | 1W       | 300.00   | a week, less than 7 × 50 = 350
full  | 7d 00:29    |       | 7d 0h   | 1W       | 300.00   | the rest after a week is within the grace
full  | 7d 00:30    |       | 7d 1h   | 1W 1h    | 310.00   | 300 + 1 × 10
full  | 8d 00:00    |       | 8d 0h   | 1W 1D    | 350.00   | 300 + 50
full  | 13d 00:00   |       | 13d 0h  | 2W       | 600.00   | 300 + 6 × 50 = 600 = 2 × 300
steep | 5d 00:00    |       | 5d 0h   | 5D       | 250.00   | 5 × 50, less than 280
steep | 5d 01:00    |       | 5d 1h   | 1W       | 280.00   | 6 × 50 = 300, a week costs 280
steep | 6d 00:00    |       | 6d 0h   | 1W       | 280.00   | 6 × 50 = 300, a week costs 280
steep | 7d 00:00    |       | 7d 0h   | 1W       | 280.00   | the same as 6 days
steep | 12d 00:00   |       | 12d 0h  | 1W 5D    | 530.00   | 280 + 250, less than 2 × 280 = 560
steep | 13d 00:00   |       | 13d 0h  | 2W       | 560.00   | 280 + 300 = 580, more than 560
full  | 20d 00:00   |       | 20d 0h  | 3W       | 900.00   | 2 × 300 + 6 × 50 = 900 = 3 × 300
full  | 21d 04:00   |       | 21d 4h  | 3W 4h    | 940.00   | 900 + 4 × 10
full  | 22d 00:00   |       | 22d 0h  | 3W 1D    | 950.00   | 900 + 50, less than 1000
full  | 23d 00:00   |       | 23d 0h  | 1M       | 1000.00  | 900 + 100 = 1000 = a month
full  | 24d 00:00   |       | 24d 0h  | 1M       | 1000.00  | 900 + 150 = 1050
full  | 27d 00:00   |       | 27d 0h  | 1M       | 1000.00  | 4 × 300 = 1200
full  | 28d 00:00   |       | 28d 0h  | 1M       | 1000.00  | 4 × 300 = 1200
full  | 29d 00:00   |       | 29d 0h  | 1M       | 1000.00  | 1200 + 50 = 1250
full  | 30d 00:00   |       | 30d 0h  | 1M       | 1000.00  | a month is 30 days
full  | 30d 00:29   |       | 30d 0h  | 1M       | 1000.00  | the rest after a month is within the grace
full  | 30d 02:00   |       | 30d 2h  | 1M 2h    | 1020.00  | 1000 + 2 × 10
full  | 31d 00:00   |       | 31d 0h  | 1M 1D    | 1050.00  | 1000 + 50
full  | 36d 00:00   |       | 36d 0h  | 1M 1W    | 1300.00  | 1000 + 6 × 50 = 1000 + 300
full  | 45d 00:00   |       | 45d 0h  | 1M 2W 1D | 1650.00  | 1000 + 600 + 50
full  | 53d 00:00   |       | 53d 0h  | 2M       | 2000.00  | 1000 + 900 + 100 = 2 × 1000
full  | 365d 00:00  |       | 365d 0h | 12M 5D   | 12250.00 | 12 × 30 = 360 days: 12000 + 5 × 50
full  | 366d 00:00  |       | 366d 0h | 12M 1W   | 12300.00 | 12000 + 6 × 50 = 12000 + 300
days  | 366d 00:00  |       | 366d 0h | 366D     | 18300.00 | 366 × 50
`

/** Taxes and currencies, with the same start and grace. */
export const taxes = `
card    | length    | lines | subtotal | tax     | total    | arithmetic
oslo    | 3d 00:00  | 3D    | 1497.00  | 374.25  | 1871.25  | 3 × 499; a quarter: 374.25
oslo    | 1d 05:00  | 1D 5h | 994.00   | 248.50  | 1242.50  | 499 + 5 × 99; 994 / 4
oslo    | 1d 06:00  | 2D    | 998.00   | 249.50  | 1247.50  | 6 × 99 = 594, capped at 499
oslo    | 5d 05:00  | 1W    | 2990.00  | 747.50  | 3737.50  | 2495 + 495 = 2990 = a week
oslo    | 6d 00:00  | 1W    | 2990.00  | 747.50  | 3737.50  | 6 × 499 = 2994
oslo    | 27d 00:00 | 4W    | 11960.00 | 2990.00 | 14950.00 | 8970 + 2994 > 4 × 2990 = 11960
oslo    | 28d 00:00 | 4W    | 11960.00 | 2990.00 | 14950.00 | 4 × 2990
oslo    | 29d 00:00 | 4W 1D | 12459.00 | 3114.75 | 15573.75 | 11960 + 499
oslo    | 30d 00:00 | 4W 2D | 12958.00 | 3239.50 | 16197.50 | no monthly rate: 11960 + 998
oslo    | 31d 00:00 | 4W 3D | 13457.00 | 3364.25 | 16821.25 | 11960 + 1497
tokyo   | 1d 00:00  | 1D    | 8000     | 727     | 8000     | 8000 / 11 = 727.27
tokyo   | 0d 05:00  | 5h    | 7500     | 682     | 7500     | 7500 / 11 = 681.82
tokyo   | 0d 06:00  | 1D    | 8000     | 727     | 8000     | 9000 capped at 8000
tokyo   | 6d 00:00  | 6D    | 48000    | 4364    | 48000    | 48000 / 11 = 4363.64
tokyo   | 7d 00:00  | 1W    | 50000    | 4545    | 50000    | 50000 / 11 = 4545.45
tokyo   | 24d 00:00 | 3W 3D | 174000   | 15818   | 174000   | 150000 + 24000; / 11 = 15818.18
tokyo   | 25d 00:00 | 1M    | 180000   | 16364   | 180000   | 182000 > 180000; / 11 = 16363.64
osaka   | 0d 05:00  | 5h    | 7500     | 608     | 8108     | 7500 × 0.081 = 607.5, half up
bahrain | 1d 00:00  | 1D    | 12.500   | 1.250   | 13.750   | 12.5 / 10
bahrain | 1d 01:00  | 1D 1h | 14.250   | 1.425   | 15.675   | 12.5 + 1.75
bahrain | 0d 07:00  | 7h    | 12.250   | 1.225   | 13.475   | 7 × 1.75
bahrain | 0d 08:00  | 1D    | 12.500   | 1.250   | 13.750   | 8 × 1.75 = 14, capped at 12.5
bahrain | 6d 00:00  | 6D    | 75.000   | 7.500   | 82.500   | 6 × 12.5, less than 80
bahrain | 7d 00:00  | 1W    | 80.000   | 8.000   | 88.000   | 7 × 12.5 = 87.5
manama  | 1d 00:00  | 1D    | 12.500   | 1.136   | 12.500   | 12.5 / 11 = 1.13636
precise | 1d 00:00  | 1D    | 12.500   | 0.959   | 13.459   | 12.5 × 0.07675 = 0.959375
cent    | 1d 00:00  | 1D    | 0.02     | 0.01    | 0.03     | 0.02 / 4 = 0.005, half up
third   | 1d 00:00  | 1D    | 33.33    | 8.33    | 41.66    | 33.33 / 4 = 8.3325
thirdin | 3d 00:00  | 3D    | 99.99    | 20.00   | 99.99    | 99.99 / 5 = 19.998
swiss   | 1d 00:00  | 1D    | 50.00    | 3.75    | 50.00    | 50 × 8.1 / 108.1 = 3.7465
double  | 1d 00:00  | 1D    | 50.00    | 25.00   | 50.00    | 50 / 2
free    | 1d 00:00  | 1D    | 50.00    | 0.00    | 50.00    | no tax
`

/** Rentals with extras (`extras` below), with the same start and grace. */
export const chosenExtras = `
card  | chosen        | length     | lines  | total    | arithmetic
cent  | 1 two-cents   | 1d 00:00   | 1D     | 0.05     | 0.04 × 1.25, not twice 0.03
full  | 2 seat        | 3d 00:00   | 3D     | 180.00   | 150 + 5 × 3 × 2
full  | 1 seat        | 3d 00:29   | 3D     | 165.00   | a rest within the grace is no day: 150 + 5 × 3
full  | 1 seat        | 3d 00:30   | 3D 1h  | 180.00   | 160 + 5 × 4
full  | 1 seat        | 0d 02:00   | 2h     | 25.00    | 20 + 5 × 1
full  | 2 capped      | 3d 00:00   | 3D     | 174.00   | 150 + min(15, 12) × 2
full  | 2 capped      | 2d 00:00   | 2D     | 120.00   | 100 + min(10, 12) × 2
full  | 3 cleaning    | 3d 00:00   | 3D     | 270.00   | 150 + 40 × 3, for any length
full  | 3 cleaning    | 30d 00:00  | 1M     | 1120.00  | 1000 + 40 × 3
full  | 1 seat 2 seat | 3d 00:00   | 3D     | 195.00   | 150 + 15 + 30, two lines
full  | 100 capped    | 366d 00:00 | 12M 1W | 13500.00 | 12300 + 12 × 100
full  | 1 nothing     | 3d 00:00   | 3D     | 150.00   | 150 + 0
steep | 1 seat        | 6d 00:00   | 1W     | 310.00   | 280 for the week, 5 × 6 days
oslo  | 1 seat        | 1d 00:00   | 1D     | 630.00   | (499 + 5) × 1.25
`

/** Clock changes, with the card `full`: days in local time, the rest in elapsed time. */
export const clockChanges = `
zone      | pickup                 | dropoff                | shown | lines | total   | arithmetic
Oslo      | 2027-03-27T10:00+01:00 | 2027-03-28T10:00+02:00 | 1d 0h | 1D    | 50.00   | 23 hours long
Oslo      | 2027-03-27T10:00+01:00 | 2027-03-28T10:29+02:00 | 1d 0h | 1D    | 50.00   | the rest is within the grace
Oslo      | 2027-03-27T10:00+01:00 | 2027-03-28T10:30+02:00 | 1d 1h | 1D 1h | 60.00   | the rest exceeds the grace
Oslo      | 2027-03-28T01:00+01:00 | 2027-03-28T03:00+02:00 | 0d 1h | 1h    | 10.00   | one elapsed hour
Oslo      | 2027-03-27T00:00+01:00 | 2027-03-28T04:00+02:00 | 1d 3h | 1D 3h | 80.00   | 3 hours passed on the 28th
Oslo      | 2027-10-30T10:00+02:00 | 2027-10-31T10:00+01:00 | 1d 0h | 1D    | 50.00   | 25 hours long
Oslo      | 2027-10-30T10:00+02:00 | 2027-10-31T09:59+01:00 | 1d 0h | 1D    | 50.00   | 25 started hours are a day
Oslo      | 2027-10-30T10:00+02:00 | 2027-10-31T10:29+01:00 | 1d 0h | 1D    | 50.00   | the rest is within the grace
Oslo      | 2027-10-30T10:00+02:00 | 2027-10-31T11:01+01:00 | 1d 2h | 1D 2h | 70.00   | 61 minutes of rest: 50 + 2 × 10
Oslo      | 2027-10-31T01:00+02:00 | 2027-10-31T03:00+01:00 | 0d 3h | 3h    | 30.00   | three elapsed hours
Oslo      | 2027-10-31T02:30+02:00 | 2027-10-31T02:30+01:00 | 0d 1h | 1h    | 10.00   | 60 elapsed minutes
Oslo      | 2027-10-31T02:50+02:00 | 2027-10-31T02:10+01:00 | 0d 1h | 1h    | 10.00   | 20 elapsed minutes
Oslo      | 2027-10-30T02:10+02:00 | 2027-10-31T02:59+02:00 | 1d 1h | 1D 1h | 60.00   | a day and 49 minutes
Oslo      | 2027-10-30T02:10+02:00 | 2027-10-31T02:00+01:00 | 1d 1h | 1D 1h | 60.00   | a day and 50 minutes
Oslo      | 2027-10-31T02:30+01:00 | 2027-11-01T01:00+01:00 | 0d 23h | 1D   | 50.00   | 22½ hours, by the second 02:30
Oslo      | 2027-03-15T10:00+01:00 | 2027-04-14T10:00+02:00 | 30d 0h | 1M   | 1000.00 | 30 days across the change
New_York  | 2027-03-13T12:00-05:00 | 2027-03-20T12:00-04:00 | 7d 0h | 1W    | 300.00  | 7 days across the change
New_York  | 2027-11-06T12:00-04:00 | 2027-11-07T12:00-05:00 | 1d 0h | 1D    | 50.00   | 25 hours long
Lord_Howe | 2027-04-03T10:00+11:00 | 2027-04-04T10:00+10:30 | 1d 0h | 1D    | 50.00   | 24½ hours long
Lord_Howe | 2027-10-02T10:00+10:30 | 2027-10-03T10:00+11:00 | 1d 0h | 1D    | 50.00   | 23½ hours long
Apia      | 2011-12-29T10:00-10:00 | 2011-12-31T10:00+14:00 | 2d 0h | 2D    | 100.00  | 24 hours, two dates later
Kathmandu | 2027-06-01T10:00+05:45 | 2027-06-02T11:00+05:45 | 1d 1h | 1D 1h | 60.00   | 50 + 1 × 10
`

/**
 * Seasons in Oslo without tax. Daily rates: always 50 (week 300), summer (15 June to 15 August) 80
 * (week 500, hour 10), festival (1 to 3 July) 120, winter (1 to 31 December 2028) 20, the only rate of
 * that year. Lines: the rate's first letter, then as above.
 */
export const seasons = `
pickup                 | length    | seasons | lines             | total   | arithmetic
2027-06-14T23:59+02:00 | 1d        | per_day | a1D               | 50.00   | the day before summer
2027-06-15T00:00+02:00 | 1d        | per_day | s1D               | 80.00   | the first minute of summer, 14 June in UTC
2027-08-15T23:59+02:00 | 1d        | per_day | s1D               | 80.00   | the last day of summer
2027-08-16T00:00+02:00 | 1d        | per_day | a1D               | 50.00   | the day after summer, 15 August in UTC
2027-06-13T10:00+02:00 | 3d        | per_day | a2D s1D           | 180.00  | 2 × 50 + 80
2027-06-13T10:00+02:00 | 3d        | pickup  | a3D               | 150.00  | the rate of the pickup: 3 × 50
2027-06-08T10:00+02:00 | 14d       | per_day | a1W s1W           | 800.00  | one week per rate: 300 + 500
2027-06-11T10:00+02:00 | 14d       | per_day | a4D s1W s3D       | 940.00  | 200 + 500 + 3 × 80
2027-06-11T10:00+02:00 | 14d       | pickup  | a2W               | 600.00  | 2 × 300
2027-06-30T10:00+02:00 | 5d        | per_day | s1D f3D s1D       | 520.00  | 80 + 3 × 120 + 80
2027-06-30T10:00+02:00 | 5d        | pickup  | s5D               | 400.00  | 5 × 80
2027-08-14T10:00+02:00 | 3d        | per_day | s2D a1D           | 210.00  | 2 × 80 + 50
2027-06-15T10:00+02:00 | 1d 02:00  | per_day | s1D s2h           | 100.00  | the rest at the summer rate: 80 + 2 × 10
2027-06-14T10:00+02:00 | 1d 02:00  | per_day | a1D s2h           | 70.00   | the rest at the rate of its date: 50 + 2 × 10
2027-06-14T10:00+02:00 | 1d 02:00  | pickup  | a2D               | 100.00  | the rest at the rate of the pickup, which has no hourly rate
2027-06-14T10:00+02:00 | 1d 00:29  | per_day | a1D               | 50.00   | the rest is within the grace
2027-08-15T10:00+02:00 | 1d 02:00  | per_day | s1D s2h           | 100.00  | 80 + a day of 50 = 130; all of it in summer: 80 + 2 × 10
2027-06-14T22:00+02:00 | 0d 05:00  | per_day | a1D               | 50.00   | under a day the rate of the pickup date
2027-06-30T10:00+02:00 | 4d 09:00  | per_day | s1D f3D s1D       | 520.00  | 9 × 10 capped at 80
2028-12-31T10:00+01:00 | 1d        | per_day | w1D               | 20.00   | the last date with a rate
2028-12-31T10:00+01:00 | 1d 00:29  | per_day | w1D               | 20.00   | a free rest needs no rate
2028-12-31T10:00+01:00 | 1d 00:30  | per_day | none              |         | a charged rest needs a rate on 1 January
2028-12-31T10:00+01:00 | 1d 00:30  | pickup  | none              |         | no rate on 1 January in seasons mode pickup
2028-12-01T10:00+01:00 | 91d       | pickup  | none              |         | no rate after December
2028-11-30T10:00+01:00 | 2d        | per_day | none              |         | no rate before the first date
`

export const extras: Readonly<Record<string, Omit<ChosenExtra, 'id' | 'name' | 'quantity'>>> = {
  seat: { pricing: 'per_day', unitMinor: 500n, maxMinor: null },
  capped: { pricing: 'per_day', unitMinor: 500n, maxMinor: 1200n },
  cleaning: { pricing: 'per_rental', unitMinor: 4000n, maxMinor: null },
  'two-cents': { pricing: 'per_rental', unitMinor: 2n, maxMinor: null },
  nothing: { pricing: 'per_day', unitMinor: 0n, maxMinor: null },
}
