import type { Id } from '#kit/domain/id.ts'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/web/query.ts'
import { findMatchingResidents } from '../contract/resident.ts'
import { maskedPattern } from '#kit/contract/rules.ts'
import { residentPath } from './paths.ts'

/** Who is there already under this mobile or document (BASE-13), asked while the form is filled. */
export function SameResidentsNotice({
  person,
  canLink = true,
}: {
  readonly canLink?: boolean
  readonly person: {
    readonly id?: Id | undefined
    readonly mobile?: string | undefined
    readonly certNo?: string | undefined
  }
}) {
  const completeNumber = (value: string | undefined, minLength: number): string | undefined =>
    value && value.length >= minLength && !maskedPattern.test(value) ? value : undefined
  const mobile = completeNumber(person.mobile, 11)
  const certNo = completeNumber(person.certNo, 6)
  const [settled, setSettled] = useState<{ mobile?: string | undefined; certNo?: string | undefined }>({})
  useEffect(() => {
    const timer = setTimeout(() => setSettled({ mobile, certNo }), 300)
    return () => clearTimeout(timer)
  }, [mobile, certNo])
  const hasNumber = settled.mobile !== undefined || settled.certNo !== undefined
  const matches = useCall(
    findMatchingResidents,
    {
      ...(person.id ? { id: person.id } : {}),
      ...(settled.mobile ? { mobile: settled.mobile } : {}),
      ...(settled.certNo ? { certNo: settled.certNo } : {}),
    },
    { enabled: hasNumber, quiet: true },
  )
  if (!hasNumber || !matches.data?.length) return null
  return (
    <p role="status">
      已有相同手机号或证件号的住户：
      {matches.data.map((resident, i) => (
        <span key={resident.id}>
          {i > 0 && '、'}
          <Link to={residentPath(resident.id)}>{resident.name}</Link>
          {resident.homes?.length ? `（${resident.homes.map(h => h.roomPath).join('、')}）` : ''}
        </span>
      ))}
      。{canLink ? '若是同一个人，请打开“关联到已有住户”再保存。' : '若是同一个人，无需重复新增。'}
    </p>
  )
}
