import { Input, Select, Switch, type InputRef } from 'antd'
import { PlusOutlined } from '@ant-design/icons'
import { useLayoutEffect, type KeyboardEvent, type RefObject } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { formatYuan, negateFen, type Fen } from '#kit/domain/money.ts'
import { displayYuan, displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { useShortcuts } from '#kit/web/shortcuts.ts'
import { roundOffMode } from '#modules/bills/contract/choices.ts'
import { suggestCashAmounts } from '../domain/cash-suggestion.ts'
import { offlineSelectOptions } from './cashier-methods.tsx'
import { addTender, type OtherTender } from '../domain/mixed-tenders.ts'
import { tidyTypedAmount } from '../domain/typed-amount.ts'
import type { PaymentFault } from './use-collect-payment.ts'
import type { TenderForm } from './use-tender-form.ts'

const maxOtherTenders = 4

/** What the bills owe together, less prestore and rounding. */
export function PaymentSums({ form, total }: { readonly form: TenderForm; readonly total: Fen }) {
  const { choices, update, channel, prestoreBalance, sums, off: roundedOff } = form
  return (
    <div className="cashier-sums">
      <p>
        <span>账单合计</span>
        <b className="figure">{displayYuan(total)}</b>
      </p>
      {prestoreBalance > 0 && (
        <p>
          <label>
            预存抵扣{' '}
            <Switch
              size="small"
              checked={choices.usesPrestore && !channel}
              disabled={channel !== undefined}
              onChange={usesPrestore => update({ usesPrestore })}
              aria-label="预存抵扣"
            />
          </label>
          <b className="figure">
            {sums.prestore ? displayYuan(negateFen(sums.prestore)) : `可用 ${displayYuan(prestoreBalance)}`}
          </b>
        </p>
      )}
      {form.canRoundOff && (
        <p>
          <label>
            {labelOf(roundOffMode, form.roundOffMode)}{' '}
            <Switch
              size="small"
              checked={choices.roundsOff && !channel}
              disabled={channel !== undefined}
              onChange={roundsOff => update({ roundsOff })}
              aria-label="抹零"
            />
          </label>
          <b className="figure">{roundedOff ? displayYuan(negateFen(roundedOff)) : '--'}</b>
        </p>
      )}
    </div>
  )
}

interface TenderInputsProps {
  readonly form: TenderForm
  readonly inputRef: RefObject<InputRef | null>
  readonly disabled: boolean
  readonly fault: PaymentFault | undefined
  /** Enter moves on: it takes no money. */
  readonly onEnter: () => void
}

const amountFaultId = 'cashier-amount-fault'

/** What was received by hand, by one method or several. */
export function TenderInputs({ form, inputRef, disabled, fault, onEnter }: TenderInputsProps) {
  const { choices, update, sums } = form
  const isCash = choices.method === 'cash'
  const amountFault = fault && fault.at !== 'foot' ? fault : undefined
  const isMainFault = amountFault?.at === 'main'
  const amountText = choices.receivedText ?? formatYuan(sums.open, { thousands: true })
  const isTyped = choices.receivedText !== undefined
  // The sum may change under the cursor: what is typed next still replaces it, it is not put behind it.
  useLayoutEffect(() => {
    const input = inputRef.current?.input
    if (!isTyped && input && document.activeElement === input) {
      input.select()
    }
  }, [amountText, isTyped, inputRef])
  const tidy = (): void => {
    const tidied = choices.receivedText && tidyTypedAmount(choices.receivedText)
    if (tidied !== choices.receivedText) {
      update({ receivedText: tidied })
    }
  }
  const onKeyDown = (e: KeyboardEvent): void => {
    if (e.key === 'Enter' && !e.ctrlKey && !e.metaKey) {
      e.preventDefault()
      onEnter()
    }
    if (e.key === ' ') {
      e.preventDefault()
    }
  }
  return (
    <div className="cashier-cash">
      <label>
        <span>{isCash ? '实收现金' : '实收'}</span>
        <Input
          ref={inputRef}
          size="large"
          prefix="¥"
          className="numeric"
          inputMode="decimal"
          autoComplete="off"
          aria-label="实收"
          {...(isMainFault
            ? { status: 'error', 'aria-invalid': true, 'aria-describedby': amountFaultId }
            : {})}
          value={amountText}
          disabled={disabled}
          onChange={e => update({ receivedText: e.target.value })}
          onFocus={e => e.target.select()}
          onBlur={tidy}
          onKeyDown={onKeyDown}
        />
      </label>
      {amountFault && (
        <p role="alert" id={amountFaultId} className="cashier-fault">
          {amountFault.message}
        </p>
      )}
      {isCash && !disabled && (
        <div className="cashier-likely">
          {suggestCashAmounts(sums.open).map((amount, i) => (
            <button
              key={amount}
              type="button"
              // For the mouse: a hand on the keys types the amount.
              tabIndex={-1}
              aria-pressed={sums.received === amount}
              onClick={() => update({ receivedText: formatYuan(amount, { thousands: true }) })}
            >
              {i ? displayYuan(amount).replace('.00', '') : '刚好'}
            </button>
          ))}
        </div>
      )}
      <TenderBalance form={form} />
      <OtherTenders
        others={choices.others}
        faultAt={amountFault?.at}
        onKeyDown={onKeyDown}
        onChange={others => update({ others })}
        onRemove={others => {
          update({ others })
          inputRef.current?.focus()
        }}
      />
    </div>
  )
}

/** One method more for the same payment (PAY-15). */
export function AddTender({
  form,
  disabled,
  within,
}: {
  readonly form: TenderForm
  readonly disabled: boolean
  /** Something in the dialog that it is in. */
  readonly within?: RefObject<Element | null>
}) {
  const { choices, update, sums } = form
  const isFull = choices.others.length >= maxOtherTenders
  const add = (): void => {
    if (disabled || isFull) return
    update(addTender(choices, sums))
  }
  useShortcuts([{ keys: 'Alt A', label: '添加方式', whileTyping: true, run: add }], within)
  if (isFull) return null
  return (
    <button type="button" className="plain cashier-add" disabled={disabled} onClick={add}>
      <PlusOutlined /> 添加方式（组合收款） <kbd>Alt A</kbd>
    </button>
  )
}

/** What is still missing, or what becomes of what is too much (PAY-13). */
function TenderBalance({ form: { choices, update, sums } }: { readonly form: TenderForm }) {
  const isChange = sums.excess > 0 ? sums.change > 0 : choices.method === 'cash' && !choices.keepsChange
  return (
    <p>
      <span>{sums.shortfall ? '还差' : isChange ? '找零' : '多收'}</span>
      <b className="figure" data-short={sums.shortfall > 0 || undefined}>
        {displayYuanWithSymbol(sums.shortfall || sums.excess)}
      </b>
      {sums.excess > 0 && sums.canGiveChange && (
        <label>
          转预存{' '}
          <Switch
            size="small"
            checked={choices.keepsChange}
            onChange={keepsChange => update({ keepsChange })}
            aria-label="多收的转预存"
          />
        </label>
      )}
      {sums.excess > 0 && !sums.canGiveChange && <small>转预存</small>}
    </p>
  )
}

interface OtherTendersProps {
  readonly others: readonly OtherTender[]
  readonly faultAt: PaymentFault['at'] | undefined
  readonly onKeyDown: (e: KeyboardEvent) => void
  readonly onChange: (others: readonly OtherTender[]) => void
  /** The focus goes elsewhere: its line is gone. */
  readonly onRemove: (others: readonly OtherTender[]) => void
}

/** Further methods of a mixed payment (PAY-15); a new one has the focus in its amount. */
function OtherTenders({ others, faultAt, onKeyDown, onChange, onRemove }: OtherTendersProps) {
  const replaceAt = (index: number, patch: Partial<OtherTender>): void =>
    onChange(others.map((other, i) => (i === index ? { ...other, ...patch } : other)))
  return others.map((other, i) => (
    <div className="cashier-also" key={i} data-tender={i}>
      <Select
        size="small"
        value={other.method}
        options={offlineSelectOptions}
        onChange={method => replaceAt(i, { method })}
        aria-label={`第 ${i + 2} 种方式`}
      />
      <Input
        size="small"
        prefix="¥"
        className="numeric"
        inputMode="decimal"
        autoFocus
        autoComplete="off"
        value={other.text}
        aria-label={`第 ${i + 2} 种方式金额`}
        {...(faultAt === i
          ? { status: 'error', 'aria-invalid': true, 'aria-describedby': amountFaultId }
          : {})}
        onFocus={e => e.target.select()}
        onKeyDown={onKeyDown}
        onChange={e => replaceAt(i, { text: e.target.value })}
        onBlur={() => {
          const text = tidyTypedAmount(other.text)
          if (text !== other.text) {
            replaceAt(i, { text })
          }
        }}
      />
      <button
        type="button"
        className="plain"
        aria-label={`移除第 ${i + 2} 种方式`}
        onClick={() => onRemove(others.filter((_, index) => index !== i))}
      >
        移除
      </button>
    </div>
  ))
}
