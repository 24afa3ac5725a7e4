import { useEffect, useRef, useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { anomaly, meterKind, unreadReason } from '../contract/choices.ts'
import type { MeterMonth } from '../contract/month-grid.ts'
import { usageUnitOf } from './entry-preview.ts'
import { unreadReasons } from './meter-row-actions.ts'
import { PhoneRegisters } from './phone-registers.tsx'
import { createRegisterBoxes } from './registers.ts'
import { usePhoneEntry, type PhoneEntryProps, type PhoneEntryState } from './use-phone-entry.ts'

/** One meter on the phone: a large box, what the number means, a picture, the next one. */
export function PhoneEntry(props: PhoneEntryProps) {
  const { meter, remaining, onNext, onBack } = props
  const entry = usePhoneEntry(props)
  const { boxes, check, isBilled, isBusy, change, save } = entry
  const { numberRef, registersRef } = entry
  useEffect(() => {
    numberRef.current?.focus()
  }, [numberRef])
  const focusRegistersOrSave = (): void => {
    const firstRegister = registersRef.current?.querySelector('input')
    if (firstRegister) {
      firstRegister.focus()
    } else {
      void save()
    }
  }
  return (
    <>
      <header>
        <div>
          <button type="button" className="big" onClick={onBack} aria-label="返回列表">
            返回
          </button>
          <h1>{meter.sourceName ?? meter.meterNo}</h1>
        </div>
      </header>
      <main>
        <MeterFacts meter={meter} />
        <input
          ref={numberRef}
          className="number"
          inputMode="decimal"
          autoComplete="off"
          enterKeyHint="next"
          aria-label="本期读数"
          placeholder="读数"
          value={entry.text}
          disabled={isBilled}
          {...(entry.fault ? { 'aria-invalid': true } : {})}
          onChange={event => change({ text: event.target.value })}
          onKeyDown={event => {
            if (event.key === 'Enter') {
              focusRegistersOrSave()
            }
          }}
        />
        {boxes.length > 0 && (
          <PhoneRegisters
            containerRef={registersRef}
            boxes={boxes}
            used={check.times?.used}
            disabled={isBilled}
            onEnd={() => void save()}
            onChange={(index, text) =>
              change({ boxes: boxes.map((b, i) => (i === index ? { ...b, text } : b)) })
            }
          />
        )}
        {boxes.length === 0 && !isBilled && meter.meterKind === 'power' && (
          <button type="button" className="big" onClick={() => entry.openBoxes(createRegisterBoxes())}>
            分时读数
          </button>
        )}
        <p className="notice" role="status">
          <StatusText meter={meter} entry={entry} />
        </p>
        {(check.rolls || entry.rollover) && (
          <label className="tick">
            <input
              type="checkbox"
              checked={entry.rollover}
              onChange={event => change({ rollover: event.target.checked })}
            />
            超过量程归零（翻表）
          </label>
        )}
        {!isBilled && <PhotoButton entry={entry} />}
        {meter.readingId === undefined && <UnreadButtons entry={entry} />}
      </main>
      <div className="foot">
        <button type="button" className="big" onClick={onNext}>
          跳过
        </button>
        <button type="button" className="big primary" disabled={isBusy} onClick={() => void save()}>
          {isBusy ? '正在保存…' : `保存，下一块${remaining ? `（剩 ${remaining}）` : ''}`}
        </button>
      </div>
    </>
  )
}

function MeterFacts({ meter }: { readonly meter: MeterMonth }) {
  const facts = [
    [`${labelOf(meterKind, meter.meterKind)}表`, meter.meterNo],
    ['位置', meter.location ?? '--'],
    ['上期止数', meter.before ?? '无'],
    ['上期日期', meter.beforeDay ?? '--'],
  ] as const
  return (
    <dl className="facts">
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function StatusText({ meter, entry }: { readonly meter: MeterMonth; readonly entry: PhoneEntryState }) {
  const { check, fault, isBilled, text } = entry
  if (isBilled) return `已出账${meter.billNo ? ` ${meter.billNo}` : ''}，不能修改`
  if (fault) return <span className="fault">{fault}</span>
  if (check.usage === undefined) return text && meter.before === undefined ? '没有上期读数，不计用量' : ''
  return (
    <>
      用量 <b>{check.usage}</b> {usageUnitOf(meter)}
      {check.flags.map(flag => (
        <span className="todo" key={flag}>
          {' '}
          · {labelOf(anomaly, flag)}
        </span>
      ))}
      {check.times?.hint && <span className="todo"> · {check.times.hint}</span>}
    </>
  )
}

function PhotoButton({ entry }: { readonly entry: PhoneEntryState }) {
  const camera = useRef<HTMLInputElement>(null)
  const { photo, photoPreview, isBusy, attachPhoto } = entry
  return (
    <div className="shot">
      <button type="button" className="big" disabled={isBusy} onClick={() => camera.current?.click()}>
        {photo ? '重拍' : '拍照'}
      </button>
      {photoPreview ? <img src={photoPreview} alt="表盘照片" /> : photo && <small>已有照片</small>}
      <input
        ref={camera}
        type="file"
        accept="image/*"
        capture="environment"
        hidden
        aria-label="表盘照片"
        onChange={event => {
          const file = event.target.files?.[0]
          if (file) {
            void attachPhoto(file)
          }
          event.target.value = ''
        }}
      />
    </div>
  )
}

function UnreadButtons({ entry }: { readonly entry: PhoneEntryState }) {
  const [isOpen, setOpen] = useState(false)
  if (!isOpen)
    return (
      <button type="button" className="big" onClick={() => setOpen(true)}>
        无法抄表
      </button>
    )
  return (
    <div className="why" role="group" aria-label="未抄原因">
      {unreadReasons.map(reason => (
        <button
          type="button"
          className="big"
          key={reason}
          disabled={entry.isBusy}
          onClick={() => void entry.skip(reason)}
        >
          {labelOf(unreadReason, reason)}
        </button>
      ))}
    </div>
  )
}
