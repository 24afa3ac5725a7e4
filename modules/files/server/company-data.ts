import type { CompanyData } from '#kit/server/company-data/declaration.ts'

/** The folders as people see them: the project, then the folders from the top; the bin's files apart. */
const fileFolders = `
  with recursive folder as (
    select d.id, d.project_code, translate(d.name, '/', '_') as path
    from file_dir d
    where d.owner_id = $1 and not exists (
      select 1 from file_dir above where above.owner_id = $1 and above.id = d.pid
    )
    union all
    select d.id, d.project_code, above.path || '/' || translate(d.name, '/', '_')
    from folder above
    join file_dir d on d.owner_id = $1 and d.pid = above.id
  )
  select f.file_key as key,
    concat_ws(
      '/', '文件', translate(coalesce(e.name, f.project_code), '/', '_'),
      case when f.delete_tag <> 0 then '回收站' end, d.path
    ) as folder
  from file_info f
  left join folder d on d.id = f.dir_id
  left join estate e on e.owner_id = $1 and e.project_code = f.project_code
  where f.owner_id = $1`

export const companyData: CompanyData = {
  fileFolders,
  tables: {
    // Visitors with a link and its code need no account.
    file_share: { omitted: 'secret' },
    file_usage: { label: '文件用量', columns: { project_code: '项目', used_bytes: '已用字节数' } },
  },
}
