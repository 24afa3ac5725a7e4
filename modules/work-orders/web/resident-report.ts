import { useState } from 'react'
import { rules } from '#kit/contract/rules.ts'
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

/** Reports that were made from this phone: their links are kept here alone. */
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

/** A phone may end the page while its camera is open: what is entered stays until it is sent. */
interface ReportDraft {
  readonly typeId?: Id | undefined
  readonly text: ReportText
  readonly isUrgent: boolean
}

const noDraft: ReportDraft = { text: { content: '', address: '', appoint: '' }, isUrgent: false }

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

/** What is entered of a report, and what is still wrong with it. */
function useReportEntry(token: string, { types }: Place) {
  const [reporter, setReporter] = useStored<Reporter>('work-orders.reporter', noReporter)
  const [draft, setDraft] = useStored<ReportDraft>(`work-orders.report-draft/${token}`, noDraft)
  const { typeId, text, isUrgent } = draft
  const photos = useResidentFiles(token, 'report', 'image')
  const videos = useResidentFiles(token, 'report', 'video')
  const type = types.find(other => other.id === typeId)
  const hasParts = types.some(other => parentOf(other) === typeId)
  const phone = reporter.phone.trim()
  const faults = {
    type: !type || hasParts ? '请选择报事类型' : undefined,
    content: [...text.content.trim()].length < 2 ? '请说明情况，至少 2 个字' : undefined,
    phone: phone === '' ? '请填写联系电话' : rules.phone.test(phone),
  }
  return {
    reporter,
    setReporter,
    type,
    typeId,
    setTypeId: (chosen: Id | undefined): void => setDraft({ ...draft, typeId: chosen }),
    text,
    setText: (entered: ReportText): void => setDraft({ ...draft, text: entered }),
    isUrgent,
    setUrgent: (urgent: boolean): void => setDraft({ ...draft, isUrgent: urgent }),
    clear: (): void => {
      setDraft(noDraft)
      photos.clear()
      videos.clear()
    },
    photos,
    videos,
    faults,
  }
}

const sendReport = (
  token: string,
  typeId: Id,
  { text, reporter, photos, videos, isUrgent }: ReturnType<typeof useReportEntry>,
) =>
  send(
    reportAtPlace,
    {
      token,
      typeId,
      photos: photos.keys,
      videos: videos.keys,
      ...enteredValues(text, reporter),
      ...(isUrgent ? { level: 'urgent' as const } : {}),
    },
    { quiet: true, project: 0 },
  )

/** The state of a report until it is sent. */
export function useReport(token: string, place: Place, onReported: (report: KeptReport) => void) {
  const entry = useReportEntry(token, place)
  const [isBusy, setBusy] = useState(false)
  const [hasTried, setTried] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const { type, faults } = entry
  const submit = async (): Promise<void> => {
    setTried(true)
    setRefusal(undefined)
    if (!type || Object.values(faults).some(fault => fault !== undefined)) return
    setBusy(true)
    try {
      const { orderNo, orderToken, openSame } = await sendReport(token, type.id, entry)
      entry.clear()
      toast.success(openSame ? `已提交，该位置另有 ${openSame} 个同类报事正在处理` : '已提交，物业会尽快处理')
      onReported({ orderNo, token: orderToken, typeName: type.typeName, day: today() })
    } catch (error) {
      setRefusal(describeProblem(error))
    } finally {
      setBusy(false)
    }
  }
  const shownFaults: Partial<typeof faults> = hasTried ? faults : {}
  return { ...entry, faults: shownFaults, isBusy, refusal, submit }
}

export type Report = ReturnType<typeof useReport>
