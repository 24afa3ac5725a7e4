import { defined } from '#kit/domain/defined.ts'
import { Button, Modal, QRCode } from 'antd'
import { CopyOutlined, ReloadOutlined } from '@ant-design/icons'
import { useEffect, useState } from 'react'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { confirmDanger } from '#kit/web/confirm.tsx'
import { send } from '#kit/web/send.ts'
import { toast } from '#kit/web/toast.ts'
import { createResidentQr, getResidentQrState, unbindResidentWechat } from '../contract/wechat.ts'
import './residents.css'
import type { Resident } from '../contract/resident.ts'

type DialogState = 'asking' | 'waiting' | 'scanned' | 'bound' | 'refused' | 'expired' | 'failed'

const stateLabels: Record<DialogState, string> = {
  asking: '正在生成二维码',
  waiting: '请住户用自己的微信扫描，10 分钟内有效',
  scanned: '已扫描，等待住户在手机上确认',
  bound: '微信已绑定',
  refused: '住户在手机上取消了',
  expired: '二维码已过期',
  failed: '二维码生成失败，请重试',
}

const delay = (ms: number, gone: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    const timer = setTimeout(resolve, ms)
    gone.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })

/**
 * A picture for a resident's own phone, or its address to be sent to him, watched until he has said yes or
 * no.
 */
export function ResidentWechatDialog({
  resident,
  onClose,
  onDone,
}: {
  readonly resident: Pick<Resident, 'id' | 'name'>
  readonly onClose: () => void
  readonly onDone: () => void
}) {
  const [qr, setQr] = useState<{ url: string; simulated: boolean }>()
  const [state, setState] = useState<DialogState>('asking')
  const [attempt, setAttempt] = useState(0)
  const [failure, setFailure] = useState<string>()
  useEffect(() => {
    const gone = new AbortController()
    const { signal } = gone
    const watch = async (): Promise<void> => {
      setState('asking')
      const created = await send(createResidentQr, { id: resident.id }, { signal, quiet: true })
      setQr({ url: location.origin + created.url, simulated: created.simulated })
      setState('waiting')
      for (;;) {
        await delay(1500, signal)
        if (signal.aborted) return
        const progress = await send(getResidentQrState, { uuid: created.uuid }, { signal, quiet: true })
        setState(progress.state)
        if (progress.state === 'bound') {
          toast.success(`「${resident.name}」的微信已绑定`)
          return onDone()
        }
        if (progress.state !== 'waiting' && progress.state !== 'scanned') return
      }
    }
    watch().catch(error => {
      if (!signal.aborted) {
        setFailure(error instanceof Error ? error.message : undefined)
        setState('failed')
      }
    })
    return () => gone.abort()
  }, [attempt, resident.id])
  const hasEnded = state === 'refused' || state === 'expired' || state === 'failed'
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(defined(qr).url)
      toast.success('已复制地址')
    } catch {
      toast.warning('浏览器不允许复制，请让住户扫码')
    }
  }
  return (
    <Modal
      open
      title={`绑定微信「${resident.name}」`}
      width={400}
      footer={null}
      onCancel={onClose}
      mask={{ closable: false }}
    >
      <div className="person-qr">
        <QRCode
          value={qr?.url ?? '-'}
          size={208}
          bordered={false}
          status={state === 'asking' ? 'loading' : hasEnded ? 'expired' : 'active'}
          {...(hasEnded
            ? {
                statusRender: () => (
                  <Button icon={<ReloadOutlined />} onClick={() => setAttempt(n => n + 1)}>
                    重新生成
                  </Button>
                ),
              }
            : {})}
        />
        <p role="status">{state === 'failed' ? (failure ?? stateLabels.failed) : stateLabels[state]}</p>
        {qr && !hasEnded && (
          <div>
            <Button icon={<CopyOutlined />} onClick={() => void copy()}>
              复制地址
            </Button>
          </div>
        )}
        {qr?.simulated && state === 'waiting' && (
          <p>
            <a href={qr.url} target="_blank" rel="noopener">
              没有配置微信公众号，在此处打开模拟的微信
            </a>
          </p>
        )}
      </div>
    </Modal>
  )
}

export const confirmUnbindWechat = (resident: Pick<Resident, 'id' | 'name'>): Promise<boolean> =>
  confirmDanger({
    actionLabel: '解除绑定',
    unit: '位住户',
    count: 1,
    title: `解除「${resident.name}」的微信绑定`,
    consequences: ['之后不再向该微信发送催缴和通知。', '住户可以重新扫码绑定。'],
    reason: { presets: ['住户要求', '绑定有误', '住户更换微信'] },
    run: async reason => {
      await sendAndInvalidate(unbindResidentWechat, { id: resident.id, reason }, { quiet: true })
      toast.success('已解除绑定')
    },
  })
