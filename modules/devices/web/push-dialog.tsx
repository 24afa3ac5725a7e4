import { Button, Input, Modal } from 'antd'
import { useState } from 'react'
import { usePermission } from '#kit/web/session.ts'
import type { PushAction as FilePushAction, PushDialogProps } from '#modules/files/web/public.actions.ts'
import { commandRules, type PushAction } from '../contract/remote-command.ts'
import { CommandProgress } from './command-progress.tsx'
import { isEnded, type CommandState } from './command-state.ts'
import { DirectoryDialog } from './directory-dialog.tsx'
import { GatewayChoice, TargetChoice, useTargets, type PushTarget } from './push-targets.tsx'
import type { CommandGateway } from './remote-message.ts'
import { startCommand, useRunningCommand } from './running-commands.ts'
import './gateways.css'

const pushes: Readonly<Record<FilePushAction, readonly [action: PushAction, label: string]>> = {
  push: ['file', '推送文件'],
  pushKernel: ['kernel', '推送内核'],
  pushPackage: ['package', '推送接口包'],
}

/** A folder of the site; the names of its files where it has been listed. */
interface PushFolder {
  readonly path: string
  readonly fileNames?: readonly string[] | undefined
}

interface DirectoryInputProps {
  readonly gateway: CommandGateway | undefined
  readonly value: string
  readonly onChange: (folder: PushFolder) => void
}

/** Typed, or chosen among the folders of the site's computer. */
function DirectoryInput({ gateway, value, onChange }: DirectoryInputProps) {
  const [isChoosing, setChoosing] = useState(false)
  const canList = usePermission()(commandRules.listDirectory.needs)
  return (
    <div className="push-directory">
      <Input
        aria-label="目标目录"
        placeholder="目标目录"
        maxLength={300}
        value={value}
        onChange={event => onChange({ path: event.target.value })}
      />
      {canList && (
        <Button
          disabled={!gateway}
          title={gateway ? undefined : '请先选择网关'}
          onClick={() => setChoosing(true)}
        >
          选择目录
        </Button>
      )}
      {isChoosing && gateway && (
        <DirectoryDialog
          gateway={gateway}
          onChoose={(path, fileNames) => {
            onChange({ path, fileNames })
            setChoosing(false)
          }}
          onClose={() => setChoosing(false)}
        />
      )}
    </div>
  )
}

/** The site replaces a file of the same name without asking: the dialog says so before. */
function OverwriteNote({ folder, name }: { readonly folder: PushFolder; readonly name: string }) {
  if (!folder.path.trim()) return null
  const { fileNames } = folder
  if (fileNames?.includes(name))
    return (
      <p className="push-overwrite" role="alert">
        目标目录中已有「{name}」，推送后原文件保存为「{name}.bak」（已有时为「{name}.bak2」）
      </p>
    )
  return fileNames ? null : (
    <p className="push-hint">
      目标目录中如有同名文件，原文件保存为「{name}.bak」（已有时为「{name}.bak2」）
    </p>
  )
}

interface PushFooterProps {
  readonly label: string
  readonly state: CommandState | undefined
  readonly missing: string | undefined
  readonly onPush: () => void
  readonly onClose: () => void
}

/** Once the file is there nothing is left to do but to close. */
function PushFooter({ label, state, missing, onPush, onClose }: PushFooterProps) {
  if (state === 'done')
    return (
      <Button type="primary" onClick={onClose}>
        关闭
      </Button>
    )
  return (
    <>
      {missing !== undefined && <span className="push-missing">{missing}</span>}
      <Button onClick={onClose}>{state ? '关闭' : '取消'}</Button>
      <Button
        type="primary"
        loading={state !== undefined && !isEnded(state)}
        disabled={missing !== undefined}
        title={missing}
        onClick={onPush}
      >
        {label}
      </Button>
    </>
  )
}

/** What is still to be chosen; nothing when it can be sent. */
function missingChoice(gateway: unknown, target: unknown, directory: string): string | undefined {
  if (!gateway) return '请选择网关'
  if (!target) return '请选择设备'
  return directory.trim() ? undefined : '请选择目标目录'
}

/** Sends a file of the manager: first a gateway, then one of its online devices, then a folder (0§2). */
export function PushDialog({ action, projectCode, file, inside, onClose }: PushDialogProps) {
  const [pushAction, label] = pushes[action]
  const [gateNo, chooseGateway] = useState<string>()
  const [target, setTarget] = useState<PushTarget>()
  const [folder, setFolder] = useState<PushFolder>({ path: '' })
  const [taskNo, setTaskNo] = useState<string>()
  const running = useRunningCommand(taskNo)
  const targets = useTargets({ projectCode, gateNo, isKernel: inside === 'kernel' })
  const missing = missingChoice(targets.gateway, target, folder.path)
  /** Another choice is another push: what became of the last one is in the list of tasks. */
  const restart = (next: PushFolder): void => {
    setFolder(next)
    if (running && isEnded(running.state)) {
      setTaskNo(undefined)
    }
  }
  const push = (): void => {
    if (!targets.gateway || !target) return
    setTaskNo(
      startCommand({
        gateway: targets.gateway,
        ...(target.device ? { device: target.device } : {}),
        command: 'pushFile',
        push: {
          action: pushAction,
          link: file.location ?? '',
          name: file.name,
          directory: folder.path.trim(),
        },
      }),
    )
  }
  return (
    <Modal
      open
      width={640}
      title={`${label}「${file.name}」`}
      onCancel={onClose}
      footer={
        <PushFooter label={label} state={running?.state} missing={missing} onPush={push} onClose={onClose} />
      }
    >
      <div className="push-form">
        <GatewayChoice
          gateways={targets.gateways}
          value={gateNo}
          onChange={chosen => {
            chooseGateway(chosen)
            setTarget(undefined)
            restart({ path: '' })
          }}
        />
        {targets.gateway && (
          <>
            <TargetChoice
              targets={targets}
              value={target?.key}
              onChange={chosen => {
                setTarget(chosen)
                restart(folder)
              }}
            />
            <DirectoryInput gateway={targets.gateway} value={folder.path} onChange={restart} />
            {running?.state !== 'done' && <OverwriteNote folder={folder} name={file.name} />}
          </>
        )}
        <CommandProgress taskNo={taskNo} />
      </div>
    </Modal>
  )
}
