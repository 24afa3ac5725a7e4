import { Button } from 'antd'
import { useState } from 'react'
import { parseId } from '#kit/domain/id.ts'
import { useAddressValue } from '#kit/web/address-value.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ErrorState, RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { formatCount } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { SearchInput } from '#kit/web/search-input.tsx'
import { download } from '#kit/web/send.ts'
import { usePermission } from '#kit/web/session.ts'
import { toast } from '#kit/web/toast.ts'
import { exportPerson, findPeople, getPersonReport } from '../contract/person.ts'
import { menu, paths } from '../module.ts'
import { ReportTable, SharedNote } from './report-table.tsx'
import './personal-data.css'

const RegisterDialog = lazyComponent(async () => (await import('./register-dialog.tsx')).RegisterDialog)

type FoundPerson = NonNullable<typeof findPeople.output.T>[number]

/** Who is asked about: a record, or a telephone that no record has. */
export type PersonKey = Pick<FoundPerson, 'personKind' | 'personId'> & { readonly personMobile?: string }

function PeopleTable({
  people,
  onOpen,
}: {
  readonly people: readonly FoundPerson[]
  readonly onOpen?: (person: FoundPerson) => void
}) {
  return (
    <div className="privacy-table">
      <table aria-label="人员记录">
        <thead>
          <tr>
            <th>姓名</th>
            <th>类别</th>
            <th>所在</th>
            <th>手机号</th>
            <th>证件号</th>
            <th>状态</th>
          </tr>
        </thead>
        <tbody>
          {people.map(person => (
            <tr key={`${person.personKind}/${person.personId}`}>
              <td>
                {onOpen ? (
                  <button type="button" className="linkish" onClick={() => onOpen(person)}>
                    {person.name || '联系人'}
                  </button>
                ) : (
                  person.name || '联系人'
                )}
              </td>
              <td>{person.kindLabel}</td>
              <td>{person.place ?? '--'}</td>
              <td>{person.mobile ?? '--'}</td>
              <td>{person.idCard ?? '--'}</td>
              <td>{person.isDeleted ? '在回收站' : '正常'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Found({
  keyword,
  onOpen,
}: {
  readonly keyword: string
  readonly onOpen: (person: FoundPerson) => void
}) {
  const query = useCall(findPeople, { keyword }, { quiet: true, project: 0, staleMs: 0 })
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return <RowSkeleton rows={3} />
  return query.data.length ? (
    <PeopleTable people={query.data} onOpen={onOpen} />
  ) : (
    <p className="lead">未找到。可输入姓名的一部分，或完整的手机号、证件号、邮箱。</p>
  )
}

function PersonReport({ person, onClose }: { readonly person: PersonKey; readonly onClose: () => void }) {
  const hasPermission = usePermission()
  const [isLoading, setLoading] = useState(false)
  const [isRegistering, setRegistering] = useState(false)
  const query = useCall(getPersonReport, person, { quiet: true, project: 0, staleMs: 0 })
  const fetchFile = async (): Promise<void> => {
    setLoading(true)
    try {
      toast.success(`已下载「${await download(exportPerson, person)}」，导出已记入变更记录`)
    } catch {
      /* shown as a toast */
    } finally {
      setLoading(false)
    }
  }
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return <RowSkeleton rows={8} />
  const { records, tables, transient, sharedIdentifiers, mentionCount } = query.data
  return (
    <>
      <div className="bar">
        <Button onClick={onClose}>返回查找</Button>
        <span className="spring" />
        {hasPermission(menu.person.permissions.takeout) && (
          <Button loading={isLoading} onClick={() => void fetchFile()}>
            导出个人信息
          </Button>
        )}
        {hasPermission(menu.erasure.permissions.add) && (
          <Button type="primary" onClick={() => setRegistering(true)}>
            登记删除请求
          </Button>
        )}
      </div>
      <h2>人员记录</h2>
      <PeopleTable people={records} />
      <h2>保存的内容</h2>
      <SharedNote shared={sharedIdentifiers} />
      <ReportTable lines={tables} />
      {mentionCount > 0 && (
        <p className="lead">
          另有 {formatCount(mentionCount)} 条疑似记录含有相同的姓名或号码，登记删除请求后逐条核对。
        </p>
      )}
      <p className="lead">此外，{transient.join('；')}。</p>
      {isRegistering && (
        <RegisterDialog
          record={{ ...person, name: records[0]?.name ?? '' }}
          onClose={() => setRegistering(false)}
          onDone={({ id }) => navigateTo(`${paths.erasure}?id=${id}`)}
        />
      )}
    </>
  )
}

/** 个人信息查询: finds a person and shows what is kept, for the answer to a request of the person. */
export default function PeoplePage() {
  const [typed, setTyped] = useState('')
  const [keyword, setKeyword] = useState('')
  const [contact, setContact] = useState<PersonKey>()
  const [address, setAddress] = useAddressValue('person')
  const [kind, id] = address?.split('.') ?? []
  const recorded: PersonKey | undefined =
    kind !== undefined && id !== undefined ? { personKind: kind, personId: parseId(id) } : undefined
  const person = contact ?? recorded
  const close = (): void => {
    setContact(undefined)
    setAddress(undefined)
  }
  return (
    <div className="privacy">
      {person ? (
        <PersonReport person={person} onClose={close} />
      ) : (
        <>
          <div className="bar">
            <SearchInput
              className="find"
              aria-label="查找人员"
              placeholder="姓名、手机号、证件号、邮箱"
              maxLength={60}
              value={typed}
              onChange={e => setTyped(e.target.value)}
              onPressEnter={() => setKeyword(typed.trim())}
            />
            <Button type="primary" onClick={() => setKeyword(typed.trim())}>
              查找
            </Button>
          </div>
          {keyword.length === 1 ? (
            <p className="lead">请至少输入两个字。姓名可以只输入一部分，手机号、证件号、邮箱要完整。</p>
          ) : keyword.length > 1 ? (
            <Found
              keyword={keyword}
              onOpen={found => {
                if (found.personId) {
                  setAddress(`${found.personKind}.${found.personId}`)
                } else {
                  setContact({
                    personKind: found.personKind,
                    personId: found.personId,
                    personMobile: keyword,
                  })
                }
              }}
            />
          ) : (
            <p className="lead">
              住户、企业员工、商户员工、公司员工、登录账号、访客，以及只留有手机号的联系人。查询结果可导出交给本人，也可登记删除请求。
            </p>
          )}
        </>
      )}
    </div>
  )
}
