import { transientColumn, type CompanyTables } from './declaration.ts'

const logged = {
  id: '编号',
  create_time: '时间',
  operator_id: '操作人编号',
  operator_name: '操作人',
  ip: 'IP 地址',
  request_id: '请求编号',
  project_code: '项目',
}

/** The kit's own tables of a company. */
export const kitTables: CompanyTables = {
  audit_log: {
    label: '变更记录',
    columns: {
      ...logged,
      action: '动作',
      entity: '对象',
      entity_id: '对象编号',
      before: '变更前',
      after: '变更后',
      reason: '原因',
    },
  },
  operation_log: {
    label: '操作日志',
    columns: {
      ...logged,
      call: '接口',
      title: '操作',
      code: '结果代码',
      message: '结果',
      input: '内容',
      took_ms: '耗时（毫秒）',
    },
  },
  directory: {
    label: '登录名与公钥索引',
    columns: { kind: '种类', key: '名称', ref_id: '对象编号' },
    // The other kinds are digests of tokens and keys.
    rows: `kind in ('company', 'login', 'app_key', 'gateway_key')`,
  },
  document_counter: {
    label: '单据号计数',
    columns: { prefix: '前缀', day: '日期', last: '最后的号' },
  },
  file_store: {
    label: '文件存储',
    columns: {
      id: '编号',
      key: '文件键',
      name: '文件名',
      type: '类型',
      size: '字节数',
      expire_time: '到期时间',
      create_time: '创建时间',
    },
    // Results of tasks, and what was deleted.
    rows: 'expire_time is null',
  },
  task_center: {
    columns: {
      run_input: transientColumn('任务输入'),
      run_checkpoint: transientColumn('断点'),
      run_attempt: transientColumn('执行次数'),
      run_stopping: transientColumn('正在停止'),
      run_ip: transientColumn('IP 地址'),
      run_request: transientColumn('请求编号'),
      run_trace: transientColumn('追踪编号'),
    },
    // What is under way goes on where it is.
    rows: 'state >= 30',
  },
  idempotent_request: { label: '重复提交的识别', omitted: 'transient' },
  session_token: { label: '登录会话', omitted: 'secret' },
  sheet_import: { label: '已上传、待导入的表格', omitted: 'transient' },
  upload_session: { label: '未完成的上传', omitted: 'transient' },
}
