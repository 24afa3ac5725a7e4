import * as area from './public-area.ts'
import * as building from './building.ts'
import * as estate from './estate.ts'

export const contract = {
  calls: [
    ...estate.estates.calls,
    estate.getEstate,
    estate.listEstateSettings,
    estate.updateEstateSetting,
    ...building.buildings.calls,
    building.pickBuildings,
    building.pickUnits,
    ...area.publicAreas.calls,
    ...building.importBuildings.calls,
    ...building.exportBuildings.calls,
    ...area.exportPublicAreas.calls,
  ],
  entities: [estate.estate, building.building, building.unit, area.publicArea],
  choices: [
    estate.projectType,
    estate.feeMode,
    estate.enabledState,
    building.unitType,
    building.buildType,
    area.areaType,
    area.rentState,
  ],
}
