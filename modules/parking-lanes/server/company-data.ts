import { transientColumn, type CompanyData } from '#kit/server/company-data/declaration.ts'

export const companyData: CompanyData = {
  tables: {
    parking_stay: { columns: { run_notice_day: transientColumn('提醒日期') } },
    park_lane_event: {
      label: '车道判断记录',
      columns: {
        id: '编号',
        project_code: '项目编码',
        lane_id: '车道编号',
        pass_key: '通行标识',
        way: '进出',
        plate_no: '车牌',
        car_kind: '车类',
        event_time: '时间',
        is_open: '放行',
        reason: '原因',
        warning: '提醒',
        stay_id: '出入记录编号',
        due: '待收',
      },
    },
    park_lane_command: {
      label: '开闸指令',
      columns: {
        id: '编号',
        project_code: '项目编码',
        lane_id: '车道编号',
        stay_id: '出入记录编号',
        plate_no: '车牌',
        origin: '开闸方式',
        reason: '原因',
        state: '执行状态',
        result: '结果',
        expire_time: '有效至',
        sent_time: '发送时间',
        end_time: '结束时间',
        operator_id: '操作员编号',
        operator_name: '操作员',
      },
    },
    park_count_change: {
      label: '在场数校正记录',
      columns: {
        id: '编号',
        project_code: '项目编码',
        park_id: '停车场编号',
        inside: '清点数',
        adjustment: '差异',
        reason: '原因',
        operator_name: '操作员',
      },
    },
  },
}
