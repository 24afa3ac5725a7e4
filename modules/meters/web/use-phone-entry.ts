import { defined } from '#kit/domain/defined.ts'
import { useEffect, useRef, useState, type RefObject } from 'react'
import type { Day, Month } from '#kit/contract/field.ts'
import { Refused } from '#kit/contract/wire.ts'
import { today } from '#kit/web/date-format.ts'
import { send } from '#kit/web/send.ts'
import { toast } from '#kit/web/toast.ts'
import { upload } from '#kit/web/upload.ts'
import { uploadFile } from '#modules/system/contract/file.ts'
import { setUnreadReason } from '../contract/plan.ts'
import type { MeterMonth } from '../contract/month-grid.ts'
import { defaultReadDay } from './entry-preview.ts'
import type { UnreadReason } from './meter-row-actions.ts'
import { sendReading, toQueuedReading, type QueuedReading } from './offline-queue.ts'
import { messageOf, refetchMeterMonth, withReading } from './reading-requests.ts'
import {
  checkEntry,
  hasSameRegisters,
  toRegisterBoxes,
  type EntryCheck,
  type RegisterBox,
} from './registers.ts'

export interface PhoneEntryProps {
  readonly meter: MeterMonth
  readonly project: string
  readonly month: Month
  /** How many other meters are still unread. */
  readonly remaining: number
  /** What was typed before and is not saved yet. */
  readonly queued: QueuedReading | undefined
  readonly onQueue: (queued: QueuedReading | undefined) => void
  readonly onSaved: (meter: MeterMonth) => void
  readonly onNext: () => void
  readonly onBack: () => void
}

interface EntryValues {
  readonly text: string
  readonly rollover: boolean
  readonly photo: string | undefined
  readonly boxes: readonly RegisterBox[]
}

export interface PhoneEntryState extends EntryValues {
  readonly check: EntryCheck
  readonly isBilled: boolean
  readonly isBusy: boolean
  readonly fault: string | undefined
  readonly photoPreview: string | undefined
  readonly numberRef: RefObject<HTMLInputElement | null>
  readonly registersRef: RefObject<HTMLDivElement | null>
  readonly change: (part: Partial<EntryValues>) => void
  /** Opens register boxes; nothing is kept before one is filled. */
  readonly openBoxes: (boxes: readonly RegisterBox[]) => void
  readonly save: () => Promise<void>
  readonly attachPhoto: (file: File) => Promise<void>
  readonly skip: (reason: UnreadReason) => Promise<void>
}

const maxPhotoPixels = 1280

/** A picture of 1,280 pixels is enough to read a dial. */
async function shrinkPhoto(file: File): Promise<File> {
  const picture = await createImageBitmap(file)
  const scale = Math.min(1, maxPhotoPixels / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(picture.width * scale)
  canvas.height = Math.round(picture.height * scale)
  defined(canvas.getContext('2d')).drawImage(picture, 0, 0, canvas.width, canvas.height)
  const blob = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, 'image/jpeg', 0.8))
  return blob ? new File([blob], 'meter.jpg', { type: 'image/jpeg' }) : file
}

function usePhotoPreview() {
  const [url, setUrl] = useState<string>()
  useEffect(
    () => () => {
      if (url) {
        URL.revokeObjectURL(url)
      }
    },
    [url],
  )
  return [url, setUrl] as const
}

const hasFilledBox = (boxes: readonly RegisterBox[]): boolean => boxes.some(b => b.text.trim() !== '')

/** Whether values are those of the saved reading, so that there is nothing to keep. */
function isAsRead(meter: MeterMonth, { text, rollover, photo, boxes }: EntryValues, day: Day): boolean {
  const registers = checkEntry(meter, text, boxes, rollover, day).times?.sent
  return (
    text.trim() === (meter.curNum ?? '') &&
    rollover === (meter.isRollover ?? false) &&
    photo === meter.photo &&
    (registers ? hasSameRegisters(meter, registers) : !hasFilledBox(boxes))
  )
}

/** Whether the number that the text stands for, and the rest, are those of the saved reading. */
const isUnchanged = (
  meter: MeterMonth,
  { rollover, photo, boxes }: EntryValues,
  check: EntryCheck,
): boolean =>
  check.value !== undefined &&
  check.value === meter.curNum &&
  photo === meter.photo &&
  rollover === (meter.isRollover ?? false) &&
  (check.times?.sent ? hasSameRegisters(meter, check.times.sent) : boxes.every(b => b.text === ''))

/** One meter on the telephone: what is typed, kept in the queue, saved, photographed or skipped. */
export function usePhoneEntry(props: PhoneEntryProps): PhoneEntryState {
  const { meter, project, month, queued, onQueue, onSaved, onNext } = props
  const [values, setValues] = useState<EntryValues>({
    text: queued?.text ?? meter.curNum ?? '',
    rollover: queued?.rollover ?? meter.isRollover ?? false,
    photo: queued?.photo ?? meter.photo,
    boxes: queued?.boxes ?? toRegisterBoxes(meter),
  })
  const [photoPreview, setPhotoPreview] = usePhotoPreview()
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState(queued?.why)
  const numberRef = useRef<HTMLInputElement>(null)
  const registersRef = useRef<HTMLDivElement>(null)
  const latestQueued = useRef(queued)
  const latestValues = useRef(values)
  const day = queued?.day ?? meter.readDate ?? defaultReadDay(month, today())
  const check = checkEntry(meter, values.text, values.boxes, values.rollover, day)
  const isBilled = meter.state === 'billed'
  const toQueued = (before: QueuedReading | undefined, v: EntryValues): QueuedReading =>
    toQueuedReading(before, { project, month, day, place: meter, ...v })
  const queue = (next: QueuedReading | undefined): void => {
    latestQueued.current = next
    onQueue(next)
  }
  /** Keeps what is typed on the telephone: going back, or closing the page, loses nothing. */
  const keep = (next: EntryValues): QueuedReading | undefined => {
    const isEmpty = next.text.trim() === '' && !hasFilledBox(next.boxes)
    const kept = isEmpty || isAsRead(meter, next, day) ? undefined : toQueued(latestQueued.current, next)
    queue(kept)
    return kept
  }
  const setLatest = (part: Partial<EntryValues>): EntryValues => {
    const next = { ...latestValues.current, ...part }
    latestValues.current = next
    setValues(next)
    return next
  }
  const runBusy = async (action: () => Promise<void>): Promise<void> => {
    setBusy(true)
    try {
      await action()
    } finally {
      setBusy(false)
    }
  }
  const handleSendFailure = async (sent: QueuedReading, error: unknown): Promise<void> => {
    if (!(error instanceof Refused)) {
      queue({ ...sent, waits: true })
      toast.warning('没有网络，读数存在手机上，有网络时自动上传')
      onNext()
      return
    }
    const current = await refetchMeterMonth(meter, month, project)
    if (current) {
      onSaved(current)
    }
    queue({ ...toQueuedReading(undefined, sent), why: messageOf(error) })
    setFault(messageOf(error))
  }
  const focusFirstMissing = (): void => {
    const needsRegister = check.times?.lacks && check.value !== undefined
    const target = needsRegister
      ? registersRef.current?.querySelector<HTMLInputElement>('input[data-empty]')
      : numberRef.current
    target?.focus()
  }
  return {
    ...values,
    check,
    isBilled,
    isBusy,
    fault: fault ?? check.fault,
    photoPreview,
    numberRef,
    registersRef,
    change: part => {
      const next = setLatest(part)
      setFault(undefined)
      keep(next)
    },
    openBoxes: boxes => setLatest({ boxes }),
    save: async () => {
      if (isBilled || isUnchanged(meter, values, check)) {
        queue(undefined)
        onNext()
        return
      }
      if (check.stays) {
        setFault(check.stays)
        focusFirstMissing()
        return
      }
      const sent = keep(values) ?? toQueued(undefined, values)
      await runBusy(async () => {
        try {
          const reading = await sendReading(sent)
          queue(undefined)
          onSaved(withReading(meter, reading))
          toast.success(`${meter.sourceName ?? meter.meterNo} 已保存`)
          onNext()
        } catch (e) {
          await handleSendFailure(sent, e)
        }
      })
    },
    attachPhoto: file =>
      runBusy(async () => {
        try {
          const small = await shrinkPhoto(file)
          setPhotoPreview(URL.createObjectURL(small))
          const { key } = await upload(uploadFile, {}, small, { quiet: true })
          keep(setLatest({ photo: key }))
        } catch (e) {
          setFault(e instanceof Error && e.message ? `照片没有传上：${e.message}` : '照片没有传上，请重试')
        }
      }),
    skip: reason =>
      runBusy(async () => {
        try {
          await send(
            setUnreadReason,
            { meterIds: [String(meter.meterId)], month, unread: reason },
            { quiet: true },
          )
          onSaved({ ...meter, unread: reason })
          onNext()
        } catch (e) {
          setFault(messageOf(e))
        }
      }),
  }
}
