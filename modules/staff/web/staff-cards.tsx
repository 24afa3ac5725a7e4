import { Select } from 'antd'
import { useState } from 'react'
import { parseId } from '#kit/domain/id.ts'
import { recordPath } from '#kit/contract/crud-screens.ts'
import { useAddressValue } from '#kit/web/address-value.ts'
import { useFileUrls } from '#kit/web/file-store.ts'
import { Loaded } from '#kit/web/loaded.tsx'
import { MaskedValue } from '#kit/web/masked-value.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { Empty } from '#kit/web/page-feedback.tsx'
import { Paginator } from '#kit/web/paginator.tsx'
import { useCall } from '#kit/web/query.ts'
import { getPersonalDataLoader } from '#kit/web/reveal.ts'
import { SearchInput } from '#kit/web/search-input.tsx'
import { usePermission } from '#kit/web/session.ts'
import { ScrollRegion } from '#kit/web/scroll-region.tsx'
import { getDepartmentTree, type DepartmentNode } from '../contract/department.ts'
import { pickStaff, staffs, type Staff } from '../contract/staff.ts'
import { menu, staffScreens } from '../module.ts'
import { StaffAvatar } from './staff-avatar.tsx'
import { StaffTagList } from './staff-tag-list.tsx'
import './staff.css'

/** What everybody sees of a colleague; the rest only with the right to see staff. */
type Card = Pick<Staff, 'id' | 'name' | 'departmentName' | 'position' | 'head'> &
  Partial<Pick<Staff, 'mobile' | 'tags'>>

const sizes = [48, 96, 192]

function Face({ of: { head, name } }: { readonly of: Card }) {
  const [url] = useFileUrls(head ? [head] : [])
  return url ? (
    <img className="staff-photo" src={url} alt="" loading="lazy" />
  ) : (
    <StaffAvatar name={name} size={56} />
  )
}

function StaffCard({ of, canSeeMore }: { readonly of: Card; readonly canSeeMore: boolean }) {
  const load = getPersonalDataLoader()
  const { id, name, departmentName, position, mobile, tags } = of
  return (
    <li>
      <Face of={of} />
      <div>
        {canSeeMore ? (
          <button
            type="button"
            className="linkish"
            onClick={() => navigateTo(recordPath(staffScreens.paths.detail, id))}
          >
            {name}
          </button>
        ) : (
          <b>{name}</b>
        )}
        <p>{[departmentName ?? '未分配部门', position].filter(Boolean).join(' · ')}</p>
        {mobile && (
          <p className="figure">
            <MaskedValue
              value={mobile}
              reveal={load ? () => load('staff', id, 'mobile') : undefined}
              isPhone
            />
          </p>
        )}
        {tags && tags.length > 0 && <StaffTagList of={tags} />}
      </div>
    </li>
  )
}

const flatDepartments = (
  nodes: readonly DepartmentNode[],
  depth = 0,
): { readonly value: string; readonly label: string }[] =>
  nodes.flatMap(node => [
    { value: String(node.id), label: `${'　'.repeat(depth)}${node.name}（${node.count}）` },
    ...flatDepartments(node.children, depth + 1),
  ])

function useCards(canSeeMore: boolean, keyword: string, department: string | undefined) {
  const [{ page, size }, setPage] = useState({ page: 1, size: 48 })
  const asked = {
    page,
    size,
    employed: true,
    ...(keyword.trim() ? { keyword: keyword.trim() } : {}),
    ...(department ? { departmentId: parseId(department) } : {}),
  }
  const options = { quiet: true, keepPrevious: true } as const
  const whole = useCall(staffs.list, asked, { ...options, enabled: canSeeMore })
  const picked = useCall(pickStaff, asked, { ...options, enabled: !canSeeMore })
  return { query: canSeeMore ? whole : picked, page, size, setPage }
}

/** 员工名片: the people of the company as cards. */
export default function StaffCards() {
  const canSeeMore = usePermission()(menu.staff.permissions.view)
  const [department, setDepartment] = useAddressValue('dept')
  const [keyword, setKeyword] = useState('')
  const tree = useCall(getDepartmentTree, {}, { quiet: true })
  const { query, page, size, setPage } = useCards(canSeeMore, keyword, department)
  return (
    <div className="staff-cards">
      <header>
        <SearchInput
          aria-label="查找员工"
          placeholder="姓名或拼音首字母"
          maxLength={40}
          value={keyword}
          onChange={e => {
            setKeyword(e.target.value)
            setPage({ page: 1, size })
          }}
        />
        <Select
          aria-label="部门"
          placeholder="全部部门"
          allowClear
          value={department ?? null}
          options={flatDepartments(tree.data ?? [])}
          onChange={(value: string | null) => {
            setDepartment(value ?? undefined)
            setPage({ page: 1, size })
          }}
        />
      </header>
      <ScrollRegion className="cards" label="员工名片">
        <Loaded query={query} height={480} rows={8} keepsAnswer>
          {({ rows }) =>
            rows.length ? (
              <ul>
                {rows.map((row: Card) => (
                  <StaffCard key={row.id} of={row} canSeeMore={canSeeMore} />
                ))}
              </ul>
            ) : (
              <Empty text="无符合条件的员工" />
            )
          }
        </Loaded>
      </ScrollRegion>
      <Paginator
        total={query.data?.total}
        page={page}
        size={size}
        sizes={sizes}
        onChange={(nextPage, nextSize) => setPage({ page: nextPage, size: nextSize })}
      />
    </div>
  )
}
