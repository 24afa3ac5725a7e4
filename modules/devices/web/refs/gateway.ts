import { createRefSource } from '#kit/web/refs.ts'
import { pickGateways } from '../../contract/gateway.ts'

/** Gateways by name or number; those of the form's project where it names one. */
export default createRefSource(pickGateways, {
  value: row => row.id,
  label: row => row.name,
  note: row => [row.gateNo, row.isOnline ? '在线' : '离线'].filter(Boolean).join(' · '),
  disabledReason: row => (row.state === 'revoked' ? '已吊销' : undefined),
  ofFormProject: true,
})
