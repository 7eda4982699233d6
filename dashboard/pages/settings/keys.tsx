import { useQuery } from '@tanstack/react-query'
import { useServiceAddress } from '../../connect/send-live.tsx'
import { CodeBlock } from '../../controls/code-block.tsx'
import { readQuery } from '../../read/queries.ts'
import { useChange } from '../../read/use-change.ts'
import { useSiteId } from '../../read/use-report.ts'
import { SecretList } from '../../settings/secret-list.tsx'
import { useMay } from '../../shell/use-may.ts'
import { Panel, PanelBody } from '../../states/panel.tsx'
import { SiteSettings } from './site-settings.tsx'

/** Which programs read the numbers of this site? */
export default function KeysPage() {
  const site = useSiteId()
  const may = useMay()
  const address = useServiceAddress()
  const keys = useQuery({ ...readQuery('listSiteKeys', { site }), enabled: may.own === undefined })
  const create = useChange('createSiteKey', { changes: ['listSiteKeys'] })
  const revoke = useChange('revokeSiteKey', { changes: ['listSiteKeys'] })
  return (
    <SiteSettings title="Keys">
      <Panel title="Keys of the site API" note="They read this site’s numbers; those of owners may also verify fixes">
        <SecretList
          what="key"
          query={keys}
          rows={(answer) =>
            answer.keys.map(({ email, opens_more, ...key }) => ({
              ...key,
              about:
                [email, opens_more ? 'also opens other sites' : null].filter((one) => one !== null).join(' · ') || null,
            }))
          }
          forbidden={may.own}
          secret={create.data?.secret ?? null}
          error={create.error ?? revoke.error}
          is_busy={create.isPending}
          onCreate={({ name }, onDone) => create.mutate({ site, name }, { onSuccess: onDone })}
          onRevoke={async (key) => {
            await revoke.mutateAsync({ site, key })
          }}
          revoking="Programs that use it are refused from now on, on every site that it opens."
        />
      </Panel>
      <Panel title="Example request">
        <PanelBody>
          <CodeBlock
            text={`curl -H "Authorization: Bearer ${create.data?.secret ?? 'spoor_site_…'}" \\\n  "${address}/v1/sites/${site}/performance?window=30d"`}
          />
          <p className="mt-6 text-dense text-ink2">
            <a href="/docs" className="link">
              API reference
            </a>
          </p>
        </PanelBody>
      </Panel>
    </SiteSettings>
  )
}
