import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { LazyTabs } from '#kit/web/lazy-tabs.tsx'
import { listLink } from '#kit/web/list/list-address.ts'
import { Loaded } from '#kit/web/loaded.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { listDevices } from '../contract/device.ts'
import { getDeviceHealth, listDeviceFaults } from '../contract/device-health.ts'
import { listGateways } from '../contract/gateway.ts'
import { listRemoteTasks } from '../contract/remote-task.ts'
import { paths } from '../module.ts'
import { EventList, FaultList, ItemList } from './device-tabs.tsx'
import { useLiveDevices } from './live-devices.ts'
import './gateways.css'

type Health = NonNullable<typeof getDeviceHealth.output.T>

const gatewayLink = (filter: object): string => listLink(paths.gateways, listGateways, { ...filter })
const deviceLink = (filter: object): string => listLink(paths.devices, listDevices, { ...filter })
const taskLink = (filter: object): string => listLink(paths.tasks, listRemoteTasks, { ...filter })

interface Figure {
  readonly label: string
  readonly value: (health: Health) => ReactNode
  /** Another list. */
  readonly to?: string
  /** A tab of this page. */
  readonly tab?: 'faults' | 'items'
}

/** Each figure opens the list that it counts. */
const figures: readonly Figure[] = [
  {
    label: '在线网关',
    value: health => (
      <>
        {formatCount(health.onlineGatewayCount)} <small>/ {formatCount(health.gatewayCount)}</small>
      </>
    ),
    to: gatewayLink({ isOnline: true }),
  },
  {
    label: '在线设备',
    value: health => (
      <>
        {formatCount(health.onlineDeviceCount)} <small>/ {formatCount(health.deviceCount)}</small>
      </>
    ),
    to: deviceLink({ isOnline: true }),
  },
  { label: '未恢复故障', tab: 'faults', value: health => formatCount(health.openFaultCount) },
  { label: '紧急故障', tab: 'faults', value: health => formatCount(health.criticalFaultCount) },
  { label: '未下发', tab: 'items', value: health => formatCount(health.unsyncedItemCount) },
  { label: '下发失败', tab: 'items', value: health => formatCount(health.failedItemCount) },
  { label: '有故障的设备', tab: 'faults', value: health => formatCount(health.faultyDeviceCount) },
  { label: '平均健康度', value: health => health.averageScore ?? '--' },
  { label: '近 7 日指令', value: health => formatCount(health.taskCount), to: taskLink({}) },
  {
    label: '近 7 日失败指令',
    value: health => formatCount(health.failedTaskCount),
    to: taskLink({ state: ['failed', 'timedOut'] }),
  },
]

/** 设备健康: how the company's sites are, and what is wrong. */
export default function DeviceHealthPage() {
  const project = useProject()
  const [active, setTab] = useState('faults')
  const query = useCall(getDeviceHealth, project ? { projectCode: project } : {}, { keepPrevious: true })
  useLiveDevices(getDeviceHealth, listDeviceFaults)
  return (
    <div className="health-page">
      <Loaded query={query} height={innerWidth > 480 ? 168 : 344} rows={2} keepsAnswer>
        {health => (
          <dl className="health-figures">
            {figures.map(({ label, value, to, tab }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>
                  {to && <Link to={to}>{value(health)}</Link>}
                  {tab && (
                    <button type="button" className="linkish" onClick={() => setTab(tab)}>
                      {value(health)}
                    </button>
                  )}
                  {!to && !tab && value(health)}
                </dd>
              </div>
            ))}
          </dl>
        )}
      </Loaded>
      <LazyTabs
        active={active}
        onActive={setTab}
        items={[
          { key: 'faults', label: '故障', children: <FaultList /> },
          { key: 'items', label: '下发项', children: <ItemList /> },
          { key: 'events', label: '事件', children: <EventList /> },
        ]}
      />
    </div>
  )
}
