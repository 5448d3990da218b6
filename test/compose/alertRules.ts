import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { done, root, run } from './stack.ts'

const rules = join(root, 'examples/alerts.yml')
const { services } = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true })
const duration = 'rental_http_request_duration_seconds_bucket{operation="createBooking",le='
const lastSuccess = 'rental_backup_last_success_timestamp_seconds{job="backup",kind='
/** The values per minute of each series: good ones, and ones of which an alert must fire. */
const series: Readonly<Record<string, readonly [good: string, bad: string]>> = {
  'up{job="rental-api",instance="a"}': ['1', '0'],
  'up{job="haproxy"}': ['1', '0'],
  'up{job="redis"}': ['1', '0'],
  'up{job="backup"}': ['1', '1'],
  'process_start_time_seconds{job="rental-api"}': ['7', '0+60'],
  'rental_http_requests_total{code=""}': ['0+999', '0+999'],
  'rental_http_requests_total{code="INTERNAL_ERROR"}': ['0', '0+1'],
  'rental_http_requests_total{code="SERVICE_UNAVAILABLE"}': ['0+1', '0+200'],
  'rental_http_requests_total{code="API_KEY_INVALID"}': ['0+1', '0+600'],
  [`${duration}"1"}`]: ['0+100', '0'],
  [`${duration}"5"}`]: ['0+100', '0+100'],
  [`${duration}"+Inf"}`]: ['0+100', '0+100'],
  'rental_overload_refusals_total{instance="a", reason="request_slots"}': ['0', '0+10'],
  rental_http_requests_in_progress: ['1', '9'],
  rental_http_requests_in_progress_max: ['10', '10'],
  rental_database_waiting: ['0', '1'],
  rental_limiter_degraded: ['0', '1'],
  'nodejs_eventloop_lag_p99_seconds{job="rental-api"}': ['0.01', '1'],
  'rental_housekeeping_runs_total{result="done"}': ['0+0.1', '5'],
  'rental_build_info{version="1.0.0",instance="a"}': ['1', '1'],
  'rental_build_info{version="1.1.0",instance="b"}': ['_', '1'],
  'process_open_fds{job="rental-api"}': ['5', '9'],
  'process_max_fds{job="rental-api"}': ['10', '10'],
  'haproxy_backend_active_servers{proxy="api",instance="a"}': ['2', '0'],
  'haproxy_backend_active_servers{proxy="api",instance="b"}': ['2', '1'],
  [`${lastSuccess}"dump"}`]: ['0', '-1000000'],
  [`${lastSuccess}"wal"}`]: ['0+60', '-1000000'],
  [`${lastSuccess}"copy"}`]: ['0', '-1000000'],
  [`${lastSuccess}"restore"}`]: ['0', '-1000000'],
  rental_backup_log_gap_timestamp_seconds: ['-1000000', '0'],
  'rental_backup_restored_sound{job="backup"}': ['1', '_'],
  'rental_backup_restored_sound{job="another"}': ['1', '0'],
  // The exporter reads the disks through a mount that is read-only.
  'node_filesystem_readonly{mountpoint="/",fstype="ext4"}': ['1', '1'],
  'node_filesystem_avail_bytes{mountpoint="/",fstype="ext4"}': ['50', '5'],
  'node_filesystem_size_bytes{mountpoint="/",fstype="ext4"}': ['100', '100'],
  'probe_ssl_earliest_cert_expiry{job="public"}': ['9999999', '13000'],
  'probe_success{job="public"}': ['1', '0'],
}
const minutes = 300

function scenario(index: 0 | 1, firing: readonly string[]) {
  const values = (text: string) => (/\d\+/.test(text) ? text : text.replace(/^(.*\d)$/, '$1+0'))
  return {
    interval: '1m',
    input_series: Object.entries(series).map(([name, good]) => ({
      series: name,
      values: `${values(good[index])}x${minutes}`,
    })),
    promql_expr_test: [
      {
        expr: 'group by (alertname) (ALERTS{alertstate="firing"})',
        eval_time: '200m',
        exp_samples: firing.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 })),
      },
    ],
  }
}

it('every alert fires for bad values, and none but the watchdog for good ones', async () => {
  const names = parse(readFileSync(rules, 'utf8')).groups[0].rules.map(
    ({ alert }: { alert: string }) => alert,
  )
  const directory = mkdtempSync(join(tmpdir(), 'rental-alerts-'))
  const tests = [scenario(0, ['RentalWatchdog']), scenario(1, names)]
  const file = { rule_files: ['/rules.yml'], evaluation_interval: '1m', tests }
  writeFileSync(join(directory, 'test.yml'), JSON.stringify(file))
  const mounts = [`${rules}:/rules.yml:ro`, `${directory}:/test:ro`].flatMap((each) => ['-v', each])
  const promtool = ['--rm', '--user', '0', '--entrypoint', 'promtool']
  const argv = [
    ...promtool,
    ...mounts,
    services.prometheus.image,
    'test',
    'rules',
    '/test/test.yml',
  ]
  expect(await done(run('docker', ['run', ...argv]))).toContain('SUCCESS')
})
