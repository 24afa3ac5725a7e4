import type { ComponentType } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { LazyTabs, type TabItem } from '#kit/web/lazy-tabs.tsx'
import { Empty } from '#kit/web/page-feedback.tsx'
import { usePermission } from '#kit/web/session.ts'
import { remoteCommand } from '../contract/choices.ts'
import { commandRules, type RemoteCommand } from '../contract/remote-command.ts'
import { FileTool } from './file-tool.tsx'
import { forbiddenReason, offlineReason, type RemoteGateway } from './gateway-access.ts'
import { ProcessTool } from './process-tool.tsx'
import { ServiceTool } from './service-tool.tsx'
import { ShellTool } from './shell-tool.tsx'
import './remote.css'

const tools: readonly (readonly [
  command: RemoteCommand,
  label: string,
  Tool: ComponentType<{ readonly gateway: RemoteGateway }>,
])[] = [
  ['listProcesses', '进程', ProcessTool],
  ['listServices', '服务', ServiceTool],
  ['listDirectory', '文件', FileTool],
  ['runShell', '命令行', ShellTool],
]

function Tool({
  gateway,
  command,
  Content,
}: {
  readonly gateway: RemoteGateway
  readonly command: RemoteCommand
  readonly Content: ComponentType<{ readonly gateway: RemoteGateway }>
}) {
  const forbidden = forbiddenReason(gateway, command)
  const offline = offlineReason(gateway)
  if (forbidden) return <Empty text={forbidden} />
  if (offline) return <Empty text={`${offline}，无法${labelOf(remoteCommand, command)}`} />
  return <Content gateway={gateway} />
}

/** The tools on a site's computer that the operator may use; what the site does not allow says so. */
export function RemoteTools({ gateway }: { readonly gateway: RemoteGateway }) {
  const hasPermission = usePermission()
  const items = tools
    .filter(([command]) => hasPermission(commandRules[command].needs))
    .map(([command, label, Content]): TabItem => ({
      key: command,
      label,
      children: <Tool gateway={gateway} command={command} Content={Content} />,
    }))
  if (!items.length) return <Empty text="无远程指令权限，请联系管理员授权" />
  return <LazyTabs items={items} />
}
