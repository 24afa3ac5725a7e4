import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/web/query.ts'
import { findMatchingResidents } from '../contract/resident.ts'
import { maskedPattern } from '../contract/labels.ts'
import { residentPath } from './paths.ts'

/** Who is there already under this mobile or document (BASE-13), asked while the form is filled. */
export function SameResidentsNotice({
  of,
  link = true,
}: {
  readonly link?: boolean
  readonly of: {
    readonly id?: number | undefined
    readonly mobile?: string | undefined
    readonly certNo?: string | undefined
  }
}) {
  const whole = (v: string | undefined, least: number): string | undefined =>
    v && v.length >= least && !maskedPattern.test(v) ? v : undefined
  const mobile = whole(of.mobile, 11)
  const certNo = whole(of.certNo, 6)
  const [asked, setAsked] = useState<{ mobile?: string | undefined; certNo?: string | undefined }>({})
  useEffect(() => {
    const t = setTimeout(() => setAsked({ mobile, certNo }), 300)
    return () => clearTimeout(t)
  }, [mobile, certNo])
  const some = asked.mobile !== undefined || asked.certNo !== undefined
  const found = useCall(
    findMatchingResidents,
    {
      ...(of.id ? { id: of.id } : {}),
      ...(asked.mobile ? { mobile: asked.mobile } : {}),
      ...(asked.certNo ? { certNo: asked.certNo } : {}),
    },
    { enabled: some, quiet: true },
  )
  if (!some || !found.data?.length) return null
  return (
    <p role="status">
      已有相同手机号或证件号的住户：
      {found.data.map((r, i) => (
        <span key={r.id}>
          {i > 0 && '、'}
          <Link to={residentPath(r.id)}>{r.name}</Link>
          {r.homes?.length ? `（${r.homes.map(h => h.roomPath).join('、')}）` : ''}
        </span>
      ))}
      。{link ? '若是同一个人，请打开“关联到已有住户”再保存。' : '若是同一个人，不用重复新增。'}
    </p>
  )
}
