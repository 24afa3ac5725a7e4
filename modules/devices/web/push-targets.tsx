import { Radio } from 'antd'
import { Loaded } from '#kit/web/loaded.tsx'
import { Empty } from '#kit/web/page-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import {
  findPushTargets,
  listOnlineDevices,
  listOnlineGateways,
  smartTarget,
} from '../contract/device-lookup.ts'
import type { CommandDevice } from './remote-message.ts'

/** The target of a pushed file: a device, or the gateway's own computer. */
export interface PushTarget {
  readonly key: string
  readonly device: CommandDevice | undefined
}

const kernelTarget = 'kernel'
const computer: PushTarget = { key: 'computer', device: undefined }

interface TargetOptions {
  readonly projectCode: string
  readonly gateNo: string | undefined
  /** A kernel goes to devices that have one. */
  readonly isKernel: boolean
}

/** The gateways that are online, the online devices of the chosen one, and which of them take the file. */
export function useTargets({ projectCode, gateNo, isKernel }: TargetOptions) {
  const gateways = useCall(listOnlineGateways, { projectCode }, { staleMs: 0 })
  const devices = useCall(
    listOnlineDevices,
    { projectCode, gateNo: gateNo ?? '' },
    { enabled: gateNo !== undefined, staleMs: 0 },
  )
  const connections = useCall(
    findPushTargets,
    { projectCode, target: isKernel ? kernelTarget : smartTarget },
    { staleMs: 0 },
  )
  const reachable = new Set(connections.data?.map(row => row.id))
  return {
    gateways,
    gateway: gateways.data?.find(row => row.gateNo === gateNo),
    devices,
    /** Why a device does not take the file; nothing where it does. */
    refusalOf: (device: Pick<CommandDevice, 'id'>): string | undefined =>
      !connections.data || reachable.has(device.id) ? undefined : isKernel ? '无内核' : '不可推送',
    /** A kernel is no file of the gateway's computer. */
    takesComputer: !isKernel,
  }
}

type Targets = ReturnType<typeof useTargets>

export function GatewayChoice({
  gateways,
  value,
  onChange,
}: {
  readonly gateways: Targets['gateways']
  readonly value: string | undefined
  readonly onChange: (gateNo: string) => void
}) {
  return (
    <section aria-label="选择网关">
      <h3>选择网关</h3>
      <Loaded query={gateways} height={96} rows={2}>
        {rows =>
          rows.length ? (
            <Radio.Group
              className="push-choice"
              aria-label="网关"
              value={value}
              onChange={event => onChange(String(event.target.value))}
            >
              {rows.map(row => (
                <Radio key={row.gateNo} value={row.gateNo}>
                  {row.name}
                  <small>{[row.gateNo, row.address].filter(Boolean).join(' · ')}</small>
                </Radio>
              ))}
            </Radio.Group>
          ) : (
            <Empty text="暂无在线网关" />
          )
        }
      </Loaded>
    </section>
  )
}

/** A radio list of the online devices with name and address (0§2). */
export function TargetChoice({
  targets,
  value,
  onChange,
}: {
  readonly targets: Targets
  readonly value: string | undefined
  readonly onChange: (target: PushTarget) => void
}) {
  const { devices, gateway, refusalOf, takesComputer } = targets
  return (
    <section aria-label="选择设备">
      <h3>选择设备</h3>
      <Loaded query={devices} height={96} rows={2}>
        {rows => (
          <Radio.Group
            className="push-choice"
            aria-label="设备"
            value={value}
            onChange={event => {
              const device = rows.find(row => String(row.id) === event.target.value)
              onChange(device ? { key: String(device.id), device } : computer)
            }}
          >
            {takesComputer && (
              <Radio value={computer.key}>
                网关计算机
                <small>{gateway?.name}</small>
              </Radio>
            )}
            {rows.map(row => {
              const refusal = refusalOf(row)
              return (
                <Radio key={row.id} value={String(row.id)} disabled={refusal !== undefined}>
                  {row.name}
                  <small>{[row.address, refusal].filter(Boolean).join(' · ') || row.devNo}</small>
                </Radio>
              )
            })}
            {!rows.length && !takesComputer && <p className="push-none">该网关暂无在线设备</p>}
          </Radio.Group>
        )}
      </Loaded>
    </section>
  )
}
