import { useState } from 'react'
import { Refused, resultCode } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { readMoment } from '#kit/domain/moment.ts'
import { useStored } from '#kit/web/browser-store.ts'
import { today } from '#kit/web/date-format.ts'
import { send } from '#kit/web/send.ts'
import { toast } from '#kit/web/toast.ts'
import { reportAtPlace, type openPlace } from '../contract/resident.ts'
import { useResidentFiles } from './resident-files.ts'
import { describeProblem } from './resident-problem.tsx'
import { parentOf } from './resident-types.tsx'

export type Place = NonNullable<typeof openPlace.output.T>

/** Reports that were made from this telephone: their links are kept here alone. */
export interface KeptReport {
  readonly orderNo: string
  readonly token: string
  readonly typeName: string
  readonly day: string
}

interface Reporter {
  readonly name: string
  readonly phone: string
}

const noReporter: Reporter = { name: '', phone: '' }

interface ReportText {
  readonly content: string
  readonly address: string
  readonly appoint: string
}

/** What was typed, without what was left empty. */
function enteredValues({ content, address, appoint }: ReportText, { name, phone }: Reporter) {
  const appointTime = readMoment(appoint.replace('T', ' '))
  return {
    content: content.trim(),
    phone: phone.trim(),
    ...(address.trim() ? { address: address.trim() } : {}),
    ...(name.trim() ? { name: name.trim() } : {}),
    ...(appointTime === undefined ? {} : { appointTime }),
  }
}

/** The state of a report until it is sent. */
export function useReport(token: string, place: Place, onReported: (report: KeptReport) => void) {
  const [reporter, setReporter] = useStored<Reporter>('work-orders.reporter', noReporter)
  const [typeId, setTypeId] = useState<Id>()
  const [text, setText] = useState<ReportText>({ content: '', address: '', appoint: '' })
  const [isUrgent, setUrgent] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [hasTried, setTried] = useState(false)
  const [fault, setFault] = useState<string>()
  const photos = useResidentFiles(token, 'image')
  const videos = useResidentFiles(token, 'video')
  const type = place.types.find(other => other.id === typeId)
  const hasParts = place.types.some(other => parentOf(other) === typeId)
  const problem = (): string | undefined => {
    if (!type || hasParts) return '请选择报事类型'
    if ([...text.content.trim()].length < 2) return '请说明情况，至少 2 个字'
    if (!/^1\d{10}$/.test(reporter.phone.trim())) return '请填写 11 位手机号码'
    return undefined
  }
  const submit = async (): Promise<void> => {
    setTried(true)
    setFault(undefined)
    if (problem() !== undefined || !type) return
    setBusy(true)
    try {
      const made = await send(
        reportAtPlace,
        {
          token,
          typeId: type.id,
          photos: photos.keys,
          videos: videos.keys,
          ...enteredValues(text, reporter),
          ...(isUrgent ? { level: 'urgent' as const } : {}),
        },
        { quiet: true, project: 0 },
      )
      toast.success(
        made.openSame ? `已提交，该位置另有 ${made.openSame} 个同类报事正在处理` : '已提交，物业会尽快处理',
      )
      onReported({ orderNo: made.orderNo, token: made.orderToken, typeName: type.typeName, day: today() })
    } catch (error) {
      setFault(
        error instanceof Refused && error.code === resultCode.rateLimited
          ? '提交过于频繁，请一分钟后再试'
          : describeProblem(error),
      )
    } finally {
      setBusy(false)
    }
  }
  return {
    reporter,
    setReporter,
    type,
    typeId,
    setTypeId,
    text,
    setText,
    isUrgent,
    setUrgent,
    isBusy,
    fault: (hasTried ? problem() : undefined) ?? fault,
    photos,
    videos,
    submit,
  }
}

export type Report = ReturnType<typeof useReport>
