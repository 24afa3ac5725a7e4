import { Button, Modal, type CheckboxRef, type InputRef } from 'antd'
import type { TextAreaRef } from 'antd/es/input/TextArea'
import { useRef, useState } from 'react'
import { AgreementField, ChoiceField, ReasonField } from './confirm-fields.tsx'
import { ConfirmTextInput } from './confirm-text-input.tsx'
import {
  requiredConfirmText,
  validateChoice,
  validateReason,
  type ConfirmAnswer,
  type ConfirmOptions,
  type DangerOptions,
  type PendingDialog,
} from './confirm.tsx'
import { formatCount } from './numbers.tsx'
import { StatusIcon } from './status.tsx'
import { useFocusReturn } from './use-focus-return.ts'
import './confirm.css'

export default function ConfirmDialog({ dialog }: { readonly dialog: PendingDialog }) {
  useFocusReturn()
  switch (dialog.kind) {
    case 'confirm':
      return <PlainConfirm options={dialog.options} answer={dialog.answer} />
    case 'danger':
      return <DangerConfirm options={dialog.options} answer={dialog.answer} />
    case 'notice':
      return <dialog.Notice onClose={() => dialog.answer()} />
  }
}

function PlainConfirm({
  options,
  answer,
}: {
  readonly options: ConfirmOptions
  readonly answer: (a: ConfirmAnswer) => void
}) {
  // Enter presses the first button that loses nothing: the action itself, or 取消 where it would discard
  // something.
  const safeButton = useRef<HTMLButtonElement>(null)
  const safe = options.alternativeLabel ? 'also' : options.danger || options.isBackSafe ? 'back' : 'ok'
  const refOf = (button: string) => (button === safe ? safeButton : null)
  return (
    <Modal
      open
      width={440}
      style={{ top: '20vh' }}
      title={options.title ?? '温馨提示'}
      onCancel={() => answer(undefined)}
      mask={{ closable: false }}
      afterOpenChange={isOpen => {
        if (isOpen) {
          safeButton.current?.focus()
        }
      }}
      footer={
        <>
          <Button ref={refOf('back')} onClick={() => answer(undefined)}>
            {options.cancelLabel ?? '取消'}
          </Button>
          {options.alternativeLabel && (
            <Button ref={refOf('also')} onClick={() => answer('also')}>
              {options.alternativeLabel}
            </Button>
          )}
          <Button
            ref={refOf('ok')}
            type="primary"
            danger={options.danger ?? false}
            onClick={() => answer('ok')}
          >
            {options.okLabel ?? '确定'}
          </Button>
        </>
      }
    >
      {options.text ?? '确定要这样做吗？'}
    </Modal>
  )
}

/** The measure word at the start of a unit: `条` of `条账单`. */
const measureWord = (unit: string): string => /^[条张户间个笔套台人辆项次份位]/.exec(unit)?.[0] ?? ''

function DangerConfirm({
  options,
  answer,
}: {
  readonly options: DangerOptions
  readonly answer: (yes: boolean) => void
}) {
  const [reason, setReason] = useState('')
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(options.choice?.initial)
  const [agreed, setAgreed] = useState(false)
  const [showFaults, setShowFaults] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState('')
  const reasonInput = useRef<TextAreaRef>(null)
  const confirmInput = useRef<InputRef>(null)
  const choiceRow = useRef<HTMLDivElement>(null)
  const agreementBox = useRef<CheckboxRef>(null)
  const requiredText = requiredConfirmText(options)
  const reasonOptions = options.reason === false ? undefined : (options.reason ?? {})
  const reasonFault = reasonOptions && validateReason(reason)
  const choiceFault = validateChoice(options.choice, chosen)
  const isMistyped = requiredText !== undefined && typed.trim() !== requiredText
  const isUnagreed = options.agreement !== undefined && !agreed
  const count = formatCount(options.count)
  const focusFirstInput = (): void =>
    reasonOptions ? reasonInput.current?.focus() : confirmInput.current?.focus()
  const submit = async (): Promise<void> => {
    setShowFaults(true)
    if (choiceFault) return choiceRow.current?.querySelector('input')?.focus()
    if (reasonFault) return reasonInput.current?.focus()
    if (isUnagreed) return agreementBox.current?.focus()
    if (isMistyped) return confirmInput.current?.focus()
    setBusy(true)
    setError('')
    try {
      await options.run(reason.trim(), chosen)
      answer(true)
    } catch (e) {
      setError((e instanceof Error && e.message) || '操作失败，请重试')
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
          {options.title ?? `${options.actionLabel} ${count} ${options.unit}`}
        </span>
      }
      onCancel={() => {
        if (!busy) {
          answer(false)
        }
      }}
      mask={{ closable: false }}
      keyboard={!busy}
      afterOpenChange={isOpen => isOpen && focusFirstInput()}
      footer={
        <>
          <Button disabled={busy} onClick={() => answer(false)}>
            取消
          </Button>
          <Button type="primary" danger loading={busy} aria-busy={busy} onClick={() => void submit()}>
            {options.okLabel ?? `${options.actionLabel} ${count} ${measureWord(options.unit)}`.trim()}
          </Button>
        </>
      }
    >
      <Consequences options={options} />
      <ChoiceField
        options={options}
        value={chosen}
        onChange={setChosen}
        fault={showFaults ? choiceFault : undefined}
        rowRef={choiceRow}
      />
      {reasonOptions && (
        <ReasonField
          label={reasonOptions.label ?? `${options.actionLabel}原因`}
          presets={reasonOptions.presets ?? []}
          note={reasonOptions.note ?? '会写入操作日志和变更记录'}
          value={reason}
          onChange={setReason}
          fault={showFaults ? reasonFault : undefined}
          inputRef={reasonInput}
        />
      )}
      {options.agreement !== undefined && (
        <AgreementField
          text={options.agreement}
          agreed={agreed}
          onChange={setAgreed}
          isMissing={showFaults && isUnagreed}
          boxRef={agreementBox}
        />
      )}
      {requiredText !== undefined && (
        <ConfirmTextInput
          expectedText={requiredText}
          value={typed}
          onChange={setTyped}
          isWrong={showFaults && isMistyped}
          inputRef={confirmInput}
        />
      )}
      {error && (
        <p role="alert" className="danger-wrong">
          {error}
        </p>
      )}
    </Modal>
  )
}

/** The sums that are affected, and what happens afterwards. */
function Consequences({ options }: { readonly options: DangerOptions }) {
  return (
    <>
      {options.affectedSums?.length ? (
        <dl className="danger-sums">
          {options.affectedSums.slice(0, 4).map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      ) : null}
      {options.consequences?.length ? (
        <ul className="danger-follows">
          {options.consequences.slice(0, 3).map(line => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      ) : null}
    </>
  )
}
