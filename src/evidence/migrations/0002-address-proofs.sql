-- What the names of an address proved, by the random id that agents' proof carries while it waits; the address itself is never here.
-- `suffix` is empty when its names confirm nothing. Read whenever agents are labelled.
CREATE TABLE IF NOT EXISTS spoor.address_proofs
(
  id UUID,
  suffix String
)
ENGINE = {{engine ReplacingMergeTree}}
ORDER BY id
SETTINGS {{durable}};
