import { Button, Input, Modal } from 'antd'
import { useState } from 'react'
import { usePermission } from '#kit/web/session.ts'
import type { PushAction as FilePushAction, PushDialogProps } from '#modules/files/web/public.actions.ts'
import { commandRules, type PushAction } from '../contract/remote-command.ts'
import { CommandProgress } from './command-progress.tsx'
import { isEnded } from './command-state.ts'
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

interface DirectoryInputProps {
  readonly gateway: CommandGateway | undefined
  readonly value: string
  readonly onChange: (path: string) => void
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
        onChange={event => onChange(event.target.value)}
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
          onChoose={path => {
            onChange(path)
            setChoosing(false)
          }}
          onClose={() => setChoosing(false)}
        />
      )}
    </div>
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
  const [directory, setDirectory] = useState('')
  const [taskNo, setTaskNo] = useState<string>()
  const running = useRunningCommand(taskNo)
  const targets = useTargets({ projectCode, gateNo, isKernel: inside === 'kernel' })
  const missing = missingChoice(targets.gateway, target, directory)
  const isBusy = running !== undefined && !isEnded(running.state)
  const push = (): void => {
    if (!targets.gateway || !target) return
    setTaskNo(
      startCommand({
        gateway: targets.gateway,
        ...(target.device ? { device: target.device } : {}),
        command: 'pushFile',
        push: { action: pushAction, link: file.location ?? '', name: file.name, directory: directory.trim() },
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
        <>
          <Button onClick={onClose}>{running ? '关闭' : '取消'}</Button>
          <Button
            type="primary"
            loading={isBusy}
            disabled={missing !== undefined}
            title={missing}
            onClick={push}
          >
            {label}
          </Button>
        </>
      }
    >
      <div className="push-form">
        <GatewayChoice
          gateways={targets.gateways}
          value={gateNo}
          onChange={chosen => {
            chooseGateway(chosen)
            setTarget(undefined)
            setDirectory('')
          }}
        />
        {targets.gateway && (
          <>
            <TargetChoice targets={targets} value={target?.key} onChange={setTarget} />
            <DirectoryInput gateway={targets.gateway} value={directory} onChange={setDirectory} />
            <p className="push-note">目标目录已有同名文件时，原文件保存为「{file.name}.bak」。</p>
          </>
        )}
        <CommandProgress taskNo={taskNo} />
      </div>
    </Modal>
  )
}
