import { Button } from 'antd'
import { useState, type ReactNode } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { useAddressValue } from '#kit/web/address-value.ts'
import { RefSelect } from '#kit/web/controls/ref-select.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { Loaded } from '#kit/web/loaded.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { ScrollRegion } from '#kit/web/scroll-region.tsx'
import { useLiveRefetch } from '#kit/web/use-live-refetch.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { credentialKind, passageDirection, rightSource } from '../contract/choices.ts'
import { doorways, pickDoorways } from '../contract/doorway.ts'
import { getPassageProcess } from '../contract/process.ts'
import { publicTime } from '../contract/public-time.ts'
import { OnlineCell } from './online-text.tsx'
import './access.css'

const CheckDialog = lazyComponent(() => import('./check-dialog.tsx').then(m => m.CheckDialog))

const liveDevices = { topic: 'devices', kind: 'devices', pauseMs: 3000 }
const doorwayField = { ...publicTime.fields.doorwayId, required: false }

type Process = NonNullable<typeof getPassageProcess.output.T>

interface StepProps {
  readonly title: string
  readonly rule: string
  readonly children?: ReactNode
}

/** One of the checks, in the order in which a device makes them. */
const Step = ({ title, rule, children }: StepProps) => (
  <li>
    <h2>{title}</h2>
    <p>{rule}</p>
    {children}
  </li>
)

interface TableProps {
  readonly label: string
  readonly heads: readonly string[]
  /** The columns of figures, by their heads. */
  readonly figures: readonly string[]
  readonly lines: readonly (readonly ReactNode[])[]
}

const Table = ({ label, heads, figures, lines }: TableProps) => (
  <ScrollRegion label={label} className="access-table">
    <table>
      <thead>
        <tr>
          {heads.map(head => (
            <th key={head} className={figures.includes(head) ? 'figure' : undefined}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map((cells, line) => (
          <tr key={line}>
            {cells.map((cell, i) => (
              <td key={heads[i]} className={figures.includes(heads[i] ?? '') ? 'figure' : undefined}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </ScrollRegion>
)

const Rights = ({ rights = [] }: Pick<Process, 'rights'>) =>
  rights.length ? (
    <Table
      label="通行权限"
      heads={['依据', '名称', '时间段', '人数', '凭证数']}
      figures={['人数', '凭证数']}
      lines={rights.map(right => [
        labelOf(rightSource, right.source),
        right.name ?? '--',
        right.windows,
        formatCount(right.people),
        formatCount(right.credentials),
      ])}
    />
  ) : (
    <p className="access-lack">没有人有此门的权限，请设为公共门，或在「门禁设置」加入门组</p>
  )

const Devices = ({ devices = [] }: Pick<Process, 'devices'>) =>
  devices.length ? (
    <Table
      label="门禁设备"
      heads={['设备', '方向', '在线', '应有', '待下发', '失败', '待删除', '未下发原因']}
      figures={['应有', '待下发', '失败', '待删除']}
      lines={devices.map(device => [
        device.deviceName,
        labelOf(passageDirection, device.direction),
        <OnlineCell key="online" isOnline={device.isOnline} />,
        formatCount(device.wantedCount),
        formatCount(device.waitingCount),
        formatCount(device.failedCount),
        formatCount(device.removingCount),
        device.missingReason ?? '--',
      ])}
    />
  ) : (
    <p className="access-lack">没有门禁设备，凭证不能开门，请在「门禁管理」绑定设备</p>
  )

const Steps = ({ process }: { readonly process: Process }) => (
  <ol className="access-process">
    <Step title="出示凭证" rule="卡、人脸等须为正常且在有效期内；挂失、注销、过期的不能通行">
      <p>
        {process.credentials?.length
          ? process.credentials
              .map(({ kind, count }) => `${labelOf(credentialKind, kind)} ${formatCount(count)}`)
              .join(' · ')
          : '暂无可用的凭证'}
      </p>
    </Step>
    <Step title="核对持有人" rule="住户已注销、员工已离职、在黑名单中限制门禁的，不能通行" />
    <Step title="核对权限" rule="满足下列任一依据，且在其时间段内">
      <Rights rights={process.rights} />
    </Step>
    <Step title="常开时段" rule="时段内不需要权限即可通行">
      <p>{process.freeTimes?.length ? process.freeTimes.map(({ windows }) => windows).join('；') : '无'}</p>
    </Step>
    <Step title="核对方向并开门" rule="与门的方向不符的不能通行">
      <p>
        {labelOf(passageDirection, process.direction)} · 开门 {process.openSeconds} 秒
        {process.isInUse ? '' : ' · 门已停用，设备上的凭证已全部收回'}
      </p>
    </Step>
    <Step
      title="由设备执行"
      rule="设备按已下发的凭证判断，断网时照常；未同步的以设备上的为准；各数含一项门参数"
    >
      <Devices devices={process.devices} />
    </Step>
  </ol>
)

function DoorwayProcess({ doorwayId }: { readonly doorwayId: Id }) {
  const [isChecking, setChecking] = useState(false)
  const query = useCall(getPassageProcess, { doorwayId }, { staleMs: 0 })
  const found = useCall(doorways.get, { id: doorwayId }, { quiet: true, enabled: isChecking })
  useLiveRefetch(liveDevices, [getPassageProcess])
  return (
    <>
      <Button onClick={() => setChecking(true)}>通行检查</Button>
      <Loaded query={query} height={480} rows={10}>
        {process => <Steps process={process} />}
      </Loaded>
      {isChecking && found.data && <CheckDialog doorway={found.data} onClose={() => setChecking(false)} />}
    </>
  )
}

/** 通行流程: what is checked at a door, in order, with what counts there now. */
export default function ProcessPage() {
  const [chosen, setChosen] = useAddressValue('doorwayId')
  const project = useProject()
  const listed = useCall(
    pickDoorways,
    { size: 1, ...(project ? { projectCode: project } : {}) },
    { quiet: true, enabled: !chosen },
  )
  const doorwayId = chosen ? parseId(chosen) : (listed.data?.rows[0]?.id ?? 0)
  return (
    <div className="access-process-page">
      <div className="access-process-bar">
        <RefSelect
          field={doorwayField}
          named
          placeholder="选择门"
          value={doorwayId || undefined}
          onChange={value => setChosen(value === undefined || value === null ? '' : String(value))}
        />
      </div>
      {doorwayId ? (
        <DoorwayProcess key={doorwayId} doorwayId={doorwayId} />
      ) : (
        !listed.isPending && (
          <p className="access-lack">
            暂无门，请先在「门禁管理」新增；之后可查看通行人员、核对步骤与设备状态
          </p>
        )
      )}
    </div>
  )
}
