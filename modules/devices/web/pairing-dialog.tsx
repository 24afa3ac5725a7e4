import { CopyOutlined } from '@ant-design/icons'
import { Button, Modal } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { toInstant, type Moment } from '#kit/domain/moment.ts'
import { copyText } from '#kit/web/copy-text.ts'
import { ErrorState, RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { Status } from '#kit/web/status.tsx'
import { createPairingCode, getGateway, type Gateway } from '../contract/gateway.ts'
import { useLiveDevices } from './live-devices.ts'
import './gateways.css'

const commandLineOf = (code: string): string =>
  `node apps/agent/start.mjs --server ${location.origin} --code ${code}`

const pollMs = 3000

/** Seconds until a moment, every second. */
function useSecondsLeft(expireTime: Moment | undefined): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return expireTime === undefined ? 0 : Math.max(0, Math.ceil((toInstant(expireTime) - now) / 1000))
}

const clockText = (seconds: number): string =>
  `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`

interface PairingCode {
  readonly code: string
  readonly expireTime: Moment
}

function CodeToCopy({ pairing }: { readonly pairing: PairingCode }) {
  const secondsLeft = useSecondsLeft(pairing.expireTime)
  const commandLine = commandLineOf(pairing.code)
  return (
    <>
      <p className="pairing-code" aria-label="配对码">
        {pairing.code}
      </p>
      <p className={secondsLeft > 0 ? 'pairing-left' : 'pairing-left over'} role="timer">
        {secondsLeft > 0 ? `${clockText(secondsLeft)} 后失效` : '配对码已失效，请重新生成'}
      </p>
      <p className="pairing-help">在现场计算机的网关程序目录中执行：</p>
      <div className="pairing-command">
        <code>{commandLine}</code>
        <Button icon={<CopyOutlined />} aria-label="复制命令" onClick={() => void copyText(commandLine)}>
          复制
        </Button>
      </div>
    </>
  )
}

/** The code of ten minutes for one gateway; says 已配对 as soon as the site has used it. */
export function PairingDialog({ of, onClose }: { readonly of: Gateway; readonly onClose: () => void }) {
  const creating = useSend(createPairingCode, { quiet: true })
  const [pairing, setPairing] = useState<PairingCode>()
  const create = (): void =>
    void creating
      .mutateAsync({ id: of.id })
      .then(setPairing)
      .catch(() => undefined)
  const isCreated = useRef(false)
  useEffect(() => {
    if (isCreated.current) return
    isCreated.current = true
    create()
  }, [])
  useLiveDevices(getGateway)
  const gateway = useCall(getGateway, { id: of.id }, { quiet: true, staleMs: 0, refetchMs: pollMs }).data
  const isPaired = gateway?.state === 'paired' && gateway.pairTime !== of.pairTime
  const drawBody = () => {
    if (isPaired)
      return (
        <div className="pairing-done" role="status">
          <Status tone="done">已配对</Status>
          <p>
            {gateway.hostName ? `${gateway.hostName} 已与「${of.name}」配对` : `「${of.name}」已配对`}
            {gateway.isOnline ? '，网关在线' : '，等待网关连接'}
          </p>
        </div>
      )
    if (creating.isError && !pairing) return <ErrorState error={creating.error} onRetry={create} />
    if (!pairing) return <RowSkeleton rows={4} />
    return <CodeToCopy pairing={pairing} />
  }
  return (
    <Modal
      open
      width={560}
      title={`配对「${of.name}」`}
      onCancel={onClose}
      footer={
        <>
          {!isPaired && (
            <Button loading={creating.isPending} onClick={create}>
              重新生成
            </Button>
          )}
          <Button type={isPaired ? 'primary' : 'default'} onClick={onClose}>
            关闭
          </Button>
        </>
      }
    >
      <div className="pairing">{drawBody()}</div>
    </Modal>
  )
}
