import { labelOf } from '#kit/contract/field.ts'
import { keysOfRecord } from '#kit/domain/records.ts'
import { buildColumns, withoutSorting } from '#kit/web/columns.tsx'
import { LazyTabs } from '#kit/web/lazy-tabs.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { Loaded } from '#kit/web/loaded.tsx'
import { BlankValue } from '#kit/web/numbers.tsx'
import { Empty } from '#kit/web/page-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { download } from '#kit/web/send.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { remoteCommand, taskState } from '../contract/choices.ts'
import { downloadAuditOutput, listCommandAudit, listCommandHolders } from '../contract/device-security.ts'
import { commandRules } from '../contract/remote-command.ts'
import { menu } from '../module.ts'
import { CommandOutput } from './command-progress.tsx'
import { GatewayKeys } from './gateway-keys.tsx'
import { WholeOutput } from './whole-output.tsx'
import './gateways.css'
import './remote.css'

const plainFlags: ReadonlySet<string> = new Set(['view', 'add', 'edit', 'del'])
const { permissions } = menu.command
const commands = keysOfRecord(permissions).filter(key => !plainFlags.has(key))
type Command = (typeof commands)[number]
const commandLabel = (key: Command): string => permissions[key].label.split('·').at(-1) ?? key
const isDangerous = (key: Command): boolean =>
  Object.values(commandRules).some(rule => rule.isDangerous && rule.needs === permissions[key])

type Holder = NonNullable<typeof listCommandHolders.output.T>[number]

const holderText = (holder: Holder): string => (holder.isOwner ? `${holder.name}（超级管理员）` : holder.name)

/** `全部`, or those of some commands that a person may run. */
function commandsText(holder: Holder, of: readonly Command[]): string {
  const permitted = of.filter(key => holder.isOwner || holder.commands?.includes(key))
  if (permitted.length === of.length) return '全部'
  return permitted.map(commandLabel).join('、')
}

const columnsOfHolder = [
  { label: '普通指令', commands: commands.filter(key => !isDangerous(key)) },
  { label: '危险指令', commands: commands.filter(isDangerous) },
]

/** Who may run which commands (RMT-2). A line is as high as its words need, also on a phone. */
function CommandHolders() {
  const query = useCall(listCommandHolders, undefined, { project: 0 })
  return (
    <Loaded query={query} height={320} rows={6}>
      {holders =>
        holders.length ? (
          <table className="plain-table security-holders" aria-label="指令权限">
            <thead>
              <tr>
                <th>操作人</th>
                {columnsOfHolder.map(({ label }) => (
                  <th key={label}>{label}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {holders.map(holder => (
                <tr key={holder.operatorId}>
                  <th scope="row">{holderText(holder)}</th>
                  {columnsOfHolder.map(column => (
                    <td key={column.label}>{commandsText(holder, column.commands) || <BlankValue />}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        ) : (
          <Empty text="暂无人员有远程指令权限" />
        )
      }
    </Loaded>
  )
}

const auditColumns = buildColumns(listCommandAudit.output, [
  { key: 'cmdType', identity: true, width: 110 },
  { key: 'gatewayName', width: 150, grow: 1 },
  { key: 'cmdData', width: 200, grow: 2 },
  { key: 'operatorName', hidePriority: 4 },
  { key: 'sendTime', hidePriority: 4 },
  'state',
  { key: 'reason', width: 160, grow: 1, hidePriority: 2 },
  { key: 'output', width: 200, grow: 2, hidePriority: 3 },
]).map(withoutSorting)

/** Dangerous commands with their whole output (RMT-2). */
const CommandAudit = () => (
  <ListPage
    embedded
    pageSize={20}
    list={listCommandAudit}
    itemName="危险指令记录"
    columns={auditColumns}
    filters={['sendTimeFrom', 'sendTimeTo', 'operatorId']}
    settingsKey="devices/audit"
    drawer={{
      title: row => `${labelOf(remoteCommand, row.cmdType)} · ${row.gatewayName ?? ''}`,
      status: row => <ChoiceStatus choices={taskState} value={row.state} />,
      groups: [
        {
          keys: [
            'taskNo',
            'gatewayName',
            'cmdData',
            'operatorName',
            'sendTime',
            'endTime',
            'reason',
          ] as const,
        },
      ],
      afterGroups: row => (
        <section className="task-result">
          <h3>执行结果</h3>
          <CommandOutput text={row.output ?? ''} />
          {row.outputSize !== undefined && (
            <WholeOutput
              size={row.outputSize}
              sha256={row.outputSha256}
              download={() => download(downloadAuditOutput, { id: row.id })}
            />
          )}
        </section>
      ),
    }}
  />
)

/** 设备安全: who may do what on site, the keys of the sites, and what was done. */
export default function DeviceSecurityPage() {
  return (
    <div className="health-page">
      <LazyTabs
        items={[
          { key: 'holders', label: '指令权限', children: <CommandHolders /> },
          { key: 'keys', label: '网关密钥', children: <GatewayKeys /> },
          { key: 'audit', label: '危险指令记录', children: <CommandAudit /> },
        ]}
      />
    </div>
  )
}
