import { useEffect, useRef, useState, type RefObject } from 'react'
import type { Day, Month } from '#kit/contract/field.ts'
import { Refused } from '#kit/contract/wire.ts'
import { today } from '#kit/web/date-format.ts'
import { shrinkPhoto } from '#kit/web/phone/shrink-photo.ts'
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

/**
 * The typed values. Setting a part returns the whole at once: the state changes only with the next render.
 */
function useEntryValues(meter: MeterMonth, queued: QueuedReading | undefined) {
  const [values, setValues] = useState<EntryValues>({
    text: queued?.text ?? meter.curNum ?? '',
    rollover: queued?.rollover ?? meter.isRollover ?? false,
    photo: queued?.photo ?? meter.photo,
    boxes: queued?.boxes ?? toRegisterBoxes(meter),
  })
  const latest = useRef(values)
  const change = (part: Partial<EntryValues>): EntryValues => {
    const next = { ...latest.current, ...part }
    latest.current = next
    setValues(next)
    return next
  }
  return [values, change] as const
}

function useBusy() {
  const [isBusy, setBusy] = useState(false)
  const runBusy = async (action: () => Promise<void>): Promise<void> => {
    setBusy(true)
    try {
      await action()
    } finally {
      setBusy(false)
    }
  }
  return [isBusy, runBusy] as const
}

/** Keeps what is typed on the phone: going back, or closing the page, loses nothing. */
function useReadingQueue({ meter, project, month, queued, onQueue }: PhoneEntryProps, day: Day) {
  const latest = useRef(queued)
  const queue = (next: QueuedReading | undefined): void => {
    latest.current = next
    onQueue(next)
  }
  const toQueued = (before: QueuedReading | undefined, values: EntryValues): QueuedReading =>
    toQueuedReading(before, { project, month, day, place: meter, ...values })
  return {
    queue,
    toQueued: (values: EntryValues): QueuedReading => toQueued(undefined, values),
    /** Queues values that differ from the saved reading. */
    keepReading: (values: EntryValues): QueuedReading | undefined => {
      const isEmpty = values.text.trim() === '' && !hasFilledBox(values.boxes)
      const toSave = isEmpty || isAsRead(meter, values, day) ? undefined : toQueued(latest.current, values)
      queue(toSave)
      return toSave
    },
  }
}

/** Sends a queued reading; without network it waits in the queue, a refused one stays with the reason. */
async function sendQueued(
  { meter, project, month, onSaved, onNext }: PhoneEntryProps,
  reading: QueuedReading,
  queue: (next: QueuedReading | undefined) => void,
  setFault: (fault: string) => void,
): Promise<void> {
  try {
    const saved = await sendReading(reading)
    queue(undefined)
    onSaved(withReading(meter, saved))
    toast.success(`${meter.sourceName ?? meter.meterNo} 已保存`)
    onNext()
  } catch (e) {
    if (!(e instanceof Refused)) {
      queue({ ...reading, waits: true })
      toast.warning('网络已断开，读数存在手机上，有网络时自动上传')
      onNext()
      return
    }
    const current = await refetchMeterMonth(meter, month, project)
    if (current) {
      onSaved(current)
    }
    queue({ ...toQueuedReading(undefined, reading), why: messageOf(e) })
    setFault(messageOf(e))
  }
}

function focusFirstMissing(
  check: EntryCheck,
  numberRef: RefObject<HTMLInputElement | null>,
  registersRef: RefObject<HTMLDivElement | null>,
): void {
  const needsRegister = check.times?.lacks && check.value !== undefined
  const target = needsRegister
    ? registersRef.current?.querySelector<HTMLInputElement>('input[data-empty]')
    : numberRef.current
  target?.focus()
}

/** Stores why a meter was not read, and goes on to the next. */
async function skipMeter(
  { meter, month, onSaved, onNext }: PhoneEntryProps,
  reason: UnreadReason,
  setFault: (fault: string) => void,
): Promise<void> {
  try {
    const input = { meterIds: [String(meter.meterId)], month, unread: reason }
    await send(setUnreadReason, input, { quiet: true })
    onSaved({ ...meter, unread: reason })
    onNext()
  } catch (e) {
    setFault(messageOf(e))
  }
}

/** One meter on the phone: what is typed, kept in the queue, saved, photographed or skipped. */
export function usePhoneEntry(props: PhoneEntryProps): PhoneEntryState {
  const { meter, month, queued, onNext } = props
  const [values, changeValues] = useEntryValues(meter, queued)
  const [photoPreview, setPhotoPreview] = usePhotoPreview()
  const [isBusy, runBusy] = useBusy()
  const [fault, setFault] = useState(queued?.why)
  const numberRef = useRef<HTMLInputElement>(null)
  const registersRef = useRef<HTMLDivElement>(null)
  const day = queued?.day ?? meter.readDate ?? defaultReadDay(month, today())
  const { queue, toQueued, keepReading } = useReadingQueue(props, day)
  const check = checkEntry(meter, values.text, values.boxes, values.rollover, day)
  const isBilled = meter.state === 'billed'
  const save = async (): Promise<void> => {
    if (isBilled || isUnchanged(meter, values, check)) {
      queue(undefined)
      onNext()
      return
    }
    if (check.stays) {
      setFault(check.stays)
      focusFirstMissing(check, numberRef, registersRef)
      return
    }
    const reading = keepReading(values) ?? toQueued(values)
    await runBusy(() => sendQueued(props, reading, queue, setFault))
  }
  const attachPhoto = async (file: File): Promise<void> => {
    try {
      const small = await shrinkPhoto(file, 'meter.jpg')
      setPhotoPreview(URL.createObjectURL(small))
      const { key } = await upload(uploadFile, {}, small, { quiet: true })
      keepReading(changeValues({ photo: key }))
    } catch (e) {
      setFault(e instanceof Error && e.message ? `照片上传失败：${e.message}` : '照片上传失败，请重试')
    }
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
      setFault(undefined)
      keepReading(changeValues(part))
    },
    openBoxes: boxes => {
      changeValues({ boxes })
    },
    save,
    attachPhoto: file => runBusy(() => attachPhoto(file)),
    skip: reason => runBusy(() => skipMeter(props, reason, setFault)),
  }
}
