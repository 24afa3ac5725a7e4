import { useEffect, useRef, useState } from 'react'
import { labelOf, type Month } from '#kit/contract/field.ts'
import { Refused } from '#kit/contract/wire.ts'
import { send } from '#kit/web/send.ts'
import { toast } from '#kit/web/toast.ts'
import { upload } from '#kit/web/upload.ts'
import { today } from '#kit/web/date-format.ts'
import { uploadFile } from '#modules/system/contract/file.ts'
import { anomaly, meterKind, unreadReason } from '../contract/choices.ts'
import { setUnreadReason } from '../contract/plan.ts'
import type { MeterMonth } from '../contract/reading.ts'
import { refetchMeterMonth, withReading } from './grid-entry.ts'
import { defaultReadDay, usageUnitOf } from './entry-preview.ts'
import { messageOf, toQueuedReading, sendReading, type QueuedReading } from './offline-queue.ts'
import { PhoneRegisters } from './phone-registers.tsx'
import {
  toRegisterBoxes,
  createRegisterBoxes,
  hasSameRegisters,
  checkEntry,
  type RegisterBox,
} from './registers.ts'

/** A phone's picture is larger than is kept: 1,280 pixels are enough to read a dial. */
async function shrinkPhoto(file: File): Promise<File> {
  const picture = await createImageBitmap(file)
  const part = Math.min(1, 1280 / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(picture.width * part)
  canvas.height = Math.round(picture.height * part)
  canvas.getContext('2d')!.drawImage(picture, 0, 0, canvas.width, canvas.height)
  const blob = await new Promise<Blob | null>(done => canvas.toBlob(done, 'image/jpeg', 0.8))
  return blob ? new File([blob], 'meter.jpg', { type: 'image/jpeg' }) : file
}

interface Props {
  readonly p: MeterMonth
  readonly project: string
  readonly month: Month
  readonly left: number
  /** What was typed before and is not written yet. */ readonly held: QueuedReading | undefined
  readonly onHold: (h: QueuedReading | undefined) => void
  readonly onSaved: (p: MeterMonth) => void
  readonly onNext: () => void
  readonly onBack: () => void
}

/** One meter before the eyes: a large box, what the number means, a picture, the next one. */
export function PhoneEntry({ p, project, month, left, held, onHold, onSaved, onNext, onBack }: Props) {
  const [text, setText] = useState(held?.text ?? p.curNum ?? '')
  const [rollover, setRollover] = useState(held?.rollover ?? p.isRollover ?? false)
  const [boxes, setBoxes] = useState<readonly RegisterBox[]>(held?.boxes ?? toRegisterBoxes(p))
  const [photo, setPhoto] = useState(held?.photo ?? p.photo)
  const [shown, setShown] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState(held?.why)
  const [why, setWhy] = useState(false)
  const box = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const now = useRef(held)
  const times = useRef<HTMLDivElement>(null)
  useEffect(() => {
    box.current?.focus()
  }, [])
  useEffect(
    () => () => {
      if (shown) {
        URL.revokeObjectURL(shown)
      }
    },
    [shown],
  )
  const day = held?.day ?? p.readDate ?? defaultReadDay(month, today())
  const seen = checkEntry(p, text, boxes, rollover, day)
  const billed = p.state === 'billed'
  const told = fault ?? seen.fault
  const hold = (h: QueuedReading | undefined): void => {
    now.current = h
    onHold(h)
  }
  /**
   * Kept on the telephone as it is typed: going back, or the page being closed in a pocket, loses nothing.
   */
  const typed = (more: {
    readonly text?: string
    readonly rollover?: boolean
    readonly photo?: string | undefined
    readonly boxes?: readonly RegisterBox[]
  }): QueuedReading | undefined => {
    const what = { project, month, day, place: p, text, rollover, photo, boxes, ...more }
    const filled = what.boxes.some(b => b.text.trim() !== '')
    const sent = checkEntry(p, what.text, what.boxes, what.rollover, day).times?.sent
    const asRead = sent ? hasSameRegisters(p, sent) : !filled
    const same =
      what.text.trim() === (p.curNum ?? '') &&
      what.rollover === (p.isRollover ?? false) &&
      what.photo === p.photo &&
      asRead
    const next = same || (what.text.trim() === '' && !filled) ? undefined : toQueuedReading(now.current, what)
    hold(next)
    return next
  }
  const save = async (): Promise<void> => {
    if (
      billed ||
      (seen.value !== undefined &&
        seen.value === p.curNum &&
        photo === p.photo &&
        rollover === (p.isRollover ?? false) &&
        (seen.times?.sent ? hasSameRegisters(p, seen.times.sent) : boxes.every(b => b.text === '')))
    ) {
      hold(undefined)
      onNext()
      return
    }
    if (seen.stays) {
      setFault(seen.stays)
      ;(seen.times?.lacks && seen.value !== undefined
        ? times.current?.querySelector<HTMLInputElement>('input[data-empty]')
        : box.current
      )?.focus()
      return
    }
    const h =
      typed({}) ?? toQueuedReading(undefined, { project, month, day, place: p, text, rollover, photo, boxes })
    setBusy(true)
    try {
      const r = await sendReading(h)
      hold(undefined)
      onSaved(withReading(p, r))
      toast.success(`${p.sourceName ?? p.meterNo} 已保存`)
      onNext()
    } catch (e) {
      if (e instanceof Refused) {
        const now = await refetchMeterMonth(p, month, project)
        if (now) {
          onSaved(now)
        }
        hold({ ...toQueuedReading(undefined, h), why: messageOf(e) })
        setFault(messageOf(e))
      } else {
        hold({ ...h, waits: true })
        toast.warning('没有网络，读数存在手机上，有网络时自动上传')
        onNext()
      }
    } finally {
      setBusy(false)
    }
  }
  const shoot = async (file: File | undefined): Promise<void> => {
    if (!file) return
    setBusy(true)
    try {
      const small = await shrinkPhoto(file)
      setShown(URL.createObjectURL(small))
      const { key } = await upload(uploadFile, {}, small, { quiet: true })
      setPhoto(key)
      typed({ photo: key })
    } catch (e) {
      setFault(e instanceof Error && e.message ? `照片没有传上：${e.message}` : '照片没有传上，请重试')
    } finally {
      setBusy(false)
    }
  }
  const skip = async (unread: keyof typeof unreadReason.rows): Promise<void> => {
    setBusy(true)
    try {
      await send(setUnreadReason, { meterIds: [String(p.meterId)], month, unread } as never, { quiet: true })
      onSaved({ ...p, unread })
      onNext()
    } catch (e) {
      setFault(messageOf(e))
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <header>
        <div>
          <button type="button" className="big" onClick={onBack} aria-label="返回列表">
            返回
          </button>
          <h1>{p.sourceName ?? p.meterNo}</h1>
        </div>
      </header>
      <main>
        <dl className="facts">
          <div>
            <dt>{labelOf(meterKind, p.meterKind)}表</dt>
            <dd>{p.meterNo}</dd>
          </div>
          <div>
            <dt>位置</dt>
            <dd>{p.location ?? '--'}</dd>
          </div>
          <div>
            <dt>上期止数</dt>
            <dd>{p.before ?? '无'}</dd>
          </div>
          <div>
            <dt>上期日期</dt>
            <dd>{p.beforeDay ?? '--'}</dd>
          </div>
        </dl>
        <input
          ref={box}
          className="number"
          inputMode="decimal"
          autoComplete="off"
          enterKeyHint="next"
          aria-label="本期读数"
          placeholder="读数"
          value={text}
          disabled={billed}
          {...(told ? { 'aria-invalid': true } : {})}
          onChange={e => {
            setText(e.target.value)
            setFault(undefined)
            typed({ text: e.target.value })
          }}
          onKeyDown={e => {
            if (e.key !== 'Enter') return
            const first = times.current?.querySelector('input')
            if (first) {
              first.focus()
            } else {
              void save()
            }
          }}
        />
        {boxes.length > 0 ? (
          <PhoneRegisters
            at={times}
            boxes={boxes}
            used={seen.times?.used}
            disabled={billed}
            onEnd={() => void save()}
            onChange={(i, t) => {
              const next = boxes.map((b, n) => (n === i ? { ...b, text: t } : b))
              setBoxes(next)
              setFault(undefined)
              typed({ boxes: next })
            }}
          />
        ) : (
          !billed &&
          p.meterKind === 'power' && (
            <button type="button" className="big" onClick={() => setBoxes(createRegisterBoxes())}>
              分时读数
            </button>
          )
        )}
        <p className="told" role="status">
          {billed ? (
            `已出账${p.billNo ? ` ${p.billNo}` : ''}，不能修改`
          ) : told ? (
            <span className="fault">{told}</span>
          ) : seen.usage === undefined ? (
            text && p.before === undefined ? (
              '没有上期读数，不计用量'
            ) : (
              ''
            )
          ) : (
            <>
              用量 <b>{seen.usage}</b> {usageUnitOf(p)}
              {seen.flags.map(f => (
                <span className="todo" key={f}>
                  {' '}
                  · {labelOf(anomaly, f)}
                </span>
              ))}
              {seen.times?.hint && <span className="todo"> · {seen.times.hint}</span>}
            </>
          )}
        </p>
        {(seen.rolls || rollover) && (
          <label className="tick">
            <input
              type="checkbox"
              checked={rollover}
              onChange={e => {
                setRollover(e.target.checked)
                setFault(undefined)
                typed({ rollover: e.target.checked })
              }}
            />
            翻表（过了最大值从零再走）
          </label>
        )}
        {!billed && (
          <div className="shot">
            <button type="button" className="big" disabled={busy} onClick={() => camera.current?.click()}>
              {photo ? '重拍' : '拍照'}
            </button>
            {shown ? <img src={shown} alt="表盘照片" /> : photo && <small>已有照片</small>}
            <input
              ref={camera}
              type="file"
              accept="image/*"
              capture="environment"
              hidden
              aria-label="表盘照片"
              onChange={e => {
                void shoot(e.target.files?.[0])
                e.target.value = ''
              }}
            />
          </div>
        )}
        {p.readingId === undefined &&
          (why ? (
            <div className="why" role="group" aria-label="未抄原因">
              {Object.keys(unreadReason.rows).map(k => (
                <button
                  type="button"
                  className="big"
                  key={k}
                  disabled={busy}
                  onClick={() => void skip(k as 'nobody')}
                >
                  {labelOf(unreadReason, k)}
                </button>
              ))}
            </div>
          ) : (
            <button type="button" className="big" onClick={() => setWhy(true)}>
              抄不到
            </button>
          ))}
      </main>
      <div className="foot">
        <button type="button" className="big" onClick={onNext}>
          跳过
        </button>
        <button type="button" className="big primary" disabled={busy} onClick={() => void save()}>
          {busy ? '正在保存…' : `保存，下一只${left ? `（剩 ${left}）` : ''}`}
        </button>
      </div>
    </>
  )
}
