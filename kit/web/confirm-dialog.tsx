import { Button, Checkbox, Input, Modal, type CheckboxRef, type InputRef } from 'antd'
import type { TextAreaRef } from 'antd/es/input/TextArea'
import { useEffect, useRef, useState } from 'react'
import {
  requiredConfirmText,
  validateReason,
  type ConfirmAnswer,
  type PendingDialog,
  type ConfirmOptions,
  type DangerOptions,
} from './confirm.tsx'
import { formatCount } from './numbers.tsx'
import { StatusIcon } from './status.tsx'
import { ConfirmTextInput } from './confirm-text-input.tsx'
import './confirm.css'

export default function ConfirmDialog({ dialog }: { readonly dialog: PendingDialog }) {
  return dialog.kind === 'confirm' ? (
    <PlainConfirm of={dialog.options} answer={dialog.answer} />
  ) : (
    <DangerConfirm of={dialog.options} answer={dialog.answer} />
  )
}

function PlainConfirm({
  of,
  answer,
}: {
  readonly of: ConfirmOptions
  readonly answer: (a: ConfirmAnswer) => void
}) {
  // Enter takes the first that loses nothing: what one came for, or the way back where that would throw
  // something away.
  const first = useRef<HTMLButtonElement>(null)
  const safe = of.alternativeLabel ? 'also' : of.danger ? 'back' : 'ok'
  const at = (which: string) => (which === safe ? first : null)
  return (
    <Modal
      open
      width={440}
      style={{ top: '20vh' }}
      title={of.title ?? '温馨提示'}
      onCancel={() => answer(undefined)}
      mask={{ closable: false }}
      afterOpenChange={() => first.current?.focus()}
      footer={
        <>
          <Button ref={at('back')} onClick={() => answer(undefined)}>
            {of.cancelLabel ?? '取消'}
          </Button>
          {of.alternativeLabel && (
            <Button ref={at('also')} onClick={() => answer('also')}>
              {of.alternativeLabel}
            </Button>
          )}
          <Button ref={at('ok')} type="primary" danger={of.danger ?? false} onClick={() => answer('ok')}>
            {of.okLabel ?? '确定'}
          </Button>
        </>
      }
    >
      {of.text ?? '确定要这样做吗？'}
    </Modal>
  )
}

function DangerConfirm({
  of,
  answer,
}: {
  readonly of: DangerOptions
  readonly answer: (yes: boolean) => void
}) {
  const [reason, setReason] = useState('')
  const [typed, setTyped] = useState('')
  const [agreed, setAgreed] = useState(false)
  const [shown, setShown] = useState(false)
  const [busy, setBusy] = useState(false)
  const [wrong, setWrong] = useState('')
  const text = useRef<TextAreaRef>(null)
  const word = useRef<InputRef>(null)
  const box = useRef<CheckboxRef>(null)
  const must = requiredConfirmText(of)
  const about = of.reason === false ? undefined : (of.reason ?? {})
  const fault = about && validateReason(reason)
  const mistyped = must !== undefined && typed.trim() !== must
  const unagreed = of.agreement !== undefined && !agreed
  const what = `${of.actionLabel} ${formatCount(of.count)} ${of.unit}`
  const unit = /^[条张户间个笔套台人辆项次份位]/.exec(of.unit)?.[0] ?? ''
  useEffect(() => {
    setTimeout(() => (about ? text.current?.focus() : word.current?.focus()), 60)
  }, [])
  const act = async (): Promise<void> => {
    setShown(true)
    if (fault) return text.current?.focus()
    if (unagreed) return box.current?.focus()
    if (mistyped) return word.current?.focus()
    setBusy(true)
    setWrong('')
    try {
      await of.run(reason.trim())
      answer(true)
    } catch (e) {
      setWrong((e as Error).message || '没有完成，请重试')
      setBusy(false)
    }
  }
  return (
    <Modal
      open
      width={520}
      style={{ top: '16vh' }}
      className="danger-dialog"
      title={
        <span className="danger-title">
          <StatusIcon tone="bad" size={12} />
          {of.title ?? what}
        </span>
      }
      onCancel={() => {
        if (!busy) {
          answer(false)
        }
      }}
      mask={{ closable: false }}
      keyboard={!busy}
      footer={
        <>
          <Button disabled={busy} onClick={() => answer(false)}>
            取消
          </Button>
          <Button type="primary" danger loading={busy} aria-busy={busy} onClick={() => void act()}>
            {`${of.actionLabel} ${formatCount(of.count)} ${unit}`.trim()}
          </Button>
        </>
      }
    >
      {of.affectedSums?.length ? (
        <dl className="danger-sums">
          {of.affectedSums.slice(0, 4).map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      ) : null}
      {of.consequences?.length ? (
        <ul className="danger-follows">
          {of.consequences.slice(0, 3).map(l => (
            <li key={l}>{l}</li>
          ))}
        </ul>
      ) : null}
      {about && (
        <div className="danger-reason">
          <label htmlFor="danger-reason">
            <i aria-hidden="true">*</i>
            {about.label ?? `${of.actionLabel}原因`}
          </label>
          {about.presets?.length ? (
            <div className="danger-presets">
              {about.presets.map(p => (
                <button
                  type="button"
                  key={p}
                  aria-pressed={reason.startsWith(p)}
                  onClick={() => {
                    setReason(p === '其他' ? '' : p)
                    text.current?.focus()
                  }}
                >
                  {p}
                </button>
              ))}
            </div>
          ) : null}
          <Input.TextArea
            id="danger-reason"
            ref={text}
            rows={2}
            value={reason}
            onChange={e => setReason(e.target.value)}
            status={shown && fault ? 'error' : ''}
            aria-invalid={shown && !!fault}
            aria-describedby="danger-note"
          />
          <div id="danger-note" className="danger-note">
            <span className={shown && fault ? 'fault' : ''}>
              {shown && fault ? fault : (about.note ?? '会写入操作日志和变更记录')}
            </span>
            <span className="figure">{[...reason].length}/200</span>
          </div>
        </div>
      )}
      {of.agreement !== undefined && (
        <div className="danger-reason">
          <Checkbox ref={box} checked={agreed} onChange={e => setAgreed(e.target.checked)}>
            {of.agreement}
          </Checkbox>
          {shown && unagreed ? (
            <div className="danger-note">
              <span className="fault">请先勾选</span>
            </div>
          ) : null}
        </div>
      )}
      {must !== undefined && (
        <ConfirmTextInput
          expectedText={must}
          value={typed}
          onChange={setTyped}
          isWrong={shown && mistyped}
          inputRef={word}
        />
      )}
      {wrong && (
        <p role="alert" className="danger-wrong">
          {wrong}
        </p>
      )}
    </Modal>
  )
}
